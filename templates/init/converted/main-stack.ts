import { TerraformStack } from "cdktf";

/** `trivet convert` writes its constructs here. */
export class MainStack extends TerraformStack {}
