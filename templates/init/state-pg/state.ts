import { PgBackend, type TerraformStack } from "cdktf";

/** Keeps the state of a stack in a database that everybody who deploys it reaches. */
export function keepState(stack: TerraformStack): void {
  new PgBackend(stack, {
    // The user and the password belong into PGUSER and PGPASSWORD: what is here is written into `cdktf.out`.
    connStr: "postgres://db.example.org/terraform",
    schemaName: stack.node.id,
  });
}
