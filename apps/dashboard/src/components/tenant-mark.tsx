import classes from './tenant-mark.module.css';

type Props = {
  name: string;
  /** `#rrggbb`; drawn as an edge, because nobody knows how it stands against a letter. */
  colour: string | null;
  logo?: string | null | undefined;
};

/** The small square a tenant is known by: its logo, or the first letter of its name. */
export function TenantMark({ name, colour, logo }: Props) {
  return (
    <span
      className={classes.root}
      aria-hidden="true"
      data-coloured={colour !== null || undefined}
      style={colour === null ? undefined : { borderColor: colour }}
    >
      {logo ? <img src={logo} alt="" className={classes.logo} /> : [...name][0]}
    </span>
  );
}
