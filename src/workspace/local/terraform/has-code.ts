/** Whether a caught value carries this code of Node's; by its fields, since realms differ. */
export function hasCode(failure: unknown, code: string): boolean {
  return (
    typeof failure === "object" && failure !== null && "code" in failure && failure.code === code
  );
}
