import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { failureCode } from "../../../http/failure";
import { serviceUrl } from "../../../schema";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { KeyError } from "./key-signer";

/** Where a server of Vault or OpenBao is, and how to log in there. */
interface VaultSettings {
  /** The URL of the transit engine. */
  readonly engine: string;
  readonly token: string;
  /** Empty if there is none. */
  readonly namespace: string;
  /** Root certificates for the server, in PEM, beside those of Node.js. */
  readonly rootCertificates: string | undefined;
}

/**
 * Reads the settings as cosign does: each variable `VAULT_…`, otherwise the same one of OpenBao, `BAO_…`; the token
 * also from `~/.vault-token`, where `vault login` and `bao login` store it.
 *
 * @param service the start of messages
 */
export async function vaultSettings(
  { env, redact }: Pick<CloudSettings, "env" | "redact">,
  service: string,
): Promise<VaultSettings> {
  const firstOf = (...names: readonly string[]): string =>
    names.map((name) => env[name] ?? "").find((value) => value !== "") ?? "";
  const variable = (name: string): string => firstOf(`VAULT_${name}`, `BAO_${name}`);
  const address = variable("ADDR");
  if (!serviceUrl.test(address)) {
    throw new KeyError(
      "KEY",
      `${service}: set the environment variable VAULT_ADDR or BAO_ADDR to an https URL, or an http URL of this machine`,
    );
  }
  const given = variable("TOKEN");
  const token = given === "" ? await tokenFile() : given;
  if (token === "") {
    throw new KeyError("KEY", `${service}: set the environment variable VAULT_TOKEN or BAO_TOKEN`);
  }
  redact(token);
  const path = (firstOf("TRANSIT_SECRET_ENGINE_PATH") || "transit").replace(/^\/+|\/+$/g, "");
  const file = variable("CACERT");
  return {
    engine: `${address.replace(/\/+$/, "")}/v1/${path.split("/").map(encodeURIComponent).join("/")}`,
    token,
    namespace: variable("NAMESPACE"),
    rootCertificates: file === "" ? undefined : await rootsIn(file, service),
  };
}

async function tokenFile(): Promise<string> {
  try {
    return (await readFile(join(homedir(), ".vault-token"), "utf8")).trim();
  } catch {
    return "";
  }
}

async function rootsIn(file: string, service: string): Promise<string> {
  const failed = (reason: string, cause: unknown): KeyError => {
    const named = `the file ${JSON.stringify(file)} in VAULT_CACERT or BAO_CACERT`;
    return new KeyError("KEY", `${service}: ${named} ${reason}`, cause);
  };
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw failed(`cannot be read (${failureCode(error) ?? "unknown error"})`, error);
  });
  try {
    // TLS would ignore a file without one.
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw failed("contains no certificate in PEM", error);
  }
}
