/** A source of numbers that gives the same ones for the same seed on every machine. Not for secrets. */
export interface Random {
  /** 0 ≤ x < 1, 32 bits of it. */
  next(): number;
  /** Whole number, both ends included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** In the 8-4-4-4-12 form, version 4 bits set. */
  uuid(): string;
  /** An independent source for one purpose: what it gives does not depend on what others took. */
  fork(label: string): Random;
}

export function createRandom(seed: string): Random {
  return new Xoshiro(seed);
}

/** xoshiro128**. A class because each second or minute of an ordinary day has a source of its own. */
class Xoshiro implements Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    this.#seed = seed;
    // FNV-1a hashes the text to 32 bits, splitmix32 spreads them over the state.
    let hash = 0x811c9dc5;
    for (let index = 0; index < seed.length; index += 1) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    this.#a = spread(hash + GOLDEN);
    this.#b = spread(hash + GOLDEN * 2);
    this.#c = spread(hash + GOLDEN * 3);
    this.#d = spread(hash + GOLDEN * 4);
  }

  next(): number {
    return this.#bits() / 4_294_967_296;
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.int(0, list.length - 1)] ?? list[0];
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.#bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const digits = this.hex(32);
    const variant = (8 + this.int(0, 3)).toString(16);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  fork(label: string): Random {
    return new Xoshiro(`${this.#seed}/${label}`);
  }

  #bits(): number {
    const scrambled = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotate(this.#d, 11);
    return scrambled;
  }
}

const GOLDEN = 0x9e3779b9;

function spread(value: number): number {
  let mixed = value | 0;
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
