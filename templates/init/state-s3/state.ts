import { S3Backend, type TerraformStack } from "cdktf";

/** Keeps the state of a stack in a bucket that everybody who deploys it reaches. */
export function keepState(stack: TerraformStack): void {
  new S3Backend(stack, {
    bucket: "my-states",
    region: "eu-central-1",
    key: `${stack.node.id}.tfstate`,
  });
  // Terraform 1.10 or newer locks a state with a file beside it.
  stack.addOverride("terraform.backend.s3.use_lockfile", true);
}
