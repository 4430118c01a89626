type Stat = { stolen: number; all: number };

export function countStolen(read?: () => Stat | undefined): () => number | undefined;
