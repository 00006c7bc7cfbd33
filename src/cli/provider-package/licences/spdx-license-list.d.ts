declare module "spdx-license-list/licenses/*.json" {
  export const licenseText: string;
}
