/** The address that users write to install the provider. The script `pack` in package.json names it too. */
export const source = "{{source}}";
