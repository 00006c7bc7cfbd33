/** Where the constructs for each library are imported from. */
export const entryPoints = { cdktf: "trivet", cdktn: "trivet/cdktn" } as const;

/** A library of constructs for Terraform: cdktf, or cdktn, which continues it. */
export type Library = keyof typeof entryPoints;

/** The library of this flavour of the package. The build writes the name of the other into its copy. */
export const library: Library = "cdktf";
