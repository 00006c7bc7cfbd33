import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { registryFailure } from "../../../../src/local/signing/registry/registry-failure";
import { answerJson, type HttpFailure } from "../../../../src/local/service/answer";
import { readBody } from "../../../../src/local/service/request";
import type { Listener } from "../../../../src/local/service/service";

/** Who may use the registry, and how clients authenticate. */
export interface RegistryAccess {
  /** "basic": user name and password in each request. "token": they are exchanged for a token. */
  readonly scheme: "basic" | "token";
  readonly username: string;
  readonly password: string;
  /** Accepted instead of user name and password in token requests. */
  readonly identityToken?: string | undefined;
  /** True if anonymous clients may read. @default false */
  readonly anonymousPull?: boolean | undefined;
  /** Lifetime of tokens in seconds. @default 300 */
  readonly tokenLifetimeSeconds?: number | undefined;
}

interface Token {
  readonly actions: ReadonlySet<string>;
  readonly expiresMs: number;
}

/** Lets only authorized requests through to a registry, and issues tokens. */
export function withAccess(listener: Listener, access: RegistryAccess, now: () => Date): Listener {
  const check = new AccessCheck(access, () => now().getTime());
  return async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/token") {
      const body = (await readBody(request, 65_536)).toString("utf8");
      const form = method === "POST" ? new URLSearchParams(body) : searchParams;
      answerJson(response, 200, check.issue(request, form), { "cache-control": "no-store" });
      return;
    }
    const [, repository] = /^\/v2\/(.+)\/(?:blobs|manifests|tags|referrers)\//.exec(pathname) ?? [];
    const wanted = repository === undefined ? [] : needs(method, repository, searchParams);
    check.check(request, wanted);
    await listener(request, response);
  };
}

/**
 * Checks requests against the access rules, and issues tokens.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
class AccessCheck {
  readonly #tokens = new Map<string, Token>();
  readonly #access: RegistryAccess;
  readonly #nowMs: () => number;

  constructor(access: RegistryAccess, nowMs: () => number) {
    this.#access = access;
    this.#nowMs = nowMs;
  }

  /**
   * Checks a request.
   *
   * @param needs actions that the token must grant, such as `repository:lab/app:push`
   * @throws HttpFailure with a challenge
   */
  check(request: IncomingMessage, needs: readonly string[]): void {
    const { scheme, anonymousPull = false } = this.#access;
    const isRead = needs.length > 0 && needs.every((need) => need.endsWith(":pull"));
    if (scheme === "basic") {
      if ((anonymousPull && isRead) || this.#isUser(request)) return;
      throw refused('Basic realm="the local registry"');
    }
    const [, word = ""] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const token = this.#tokens.get(word);
    const isFresh = token !== undefined && token.expiresMs > this.#nowMs();
    if (isFresh && needs.every((need) => token.actions.has(need))) return;
    const host = request.headers.host ?? "";
    const error = word === "" ? "" : `,error="${isFresh ? "insufficient_scope" : "invalid_token"}"`;
    throw refused(`Bearer realm="http://${host}/token",service="${host}"${scopeOf(needs)}${error}`);
  }

  /** `GET /token?scope=…` with a password, or the OAuth form with a password or identity token. */
  issue(request: IncomingMessage, form: URLSearchParams): Readonly<Record<string, unknown>> {
    const mayPush = this.#isUser(request) || this.#isOwner(form);
    if (!mayPush && this.#access.anonymousPull !== true) {
      throw registryFailure("UNAUTHORIZED", "the name or the password is wrong");
    }
    const wanted = form.getAll("scope").flatMap((scope) => scope.split(" ").flatMap(actionsOf));
    const actions = wanted.filter((action) => mayPush || action.endsWith(":pull"));
    const lifetime = this.#access.tokenLifetimeSeconds ?? 300;
    const token = randomBytes(24).toString("base64url");
    this.#tokens.set(token, {
      actions: new Set(actions),
      expiresMs: this.#nowMs() + 1000 * lifetime,
    });
    const key = request.method === "POST" ? "access_token" : "token";
    return { [key]: token, expires_in: lifetime, issued_at: new Date(this.#nowMs()).toISOString() };
  }

  #isUser(request: IncomingMessage): boolean {
    const [, encoded = ""] = /^Basic (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const { username, password } = this.#access;
    return equal(Buffer.from(encoded, "base64").toString("utf8"), `${username}:${password}`);
  }

  #isOwner(form: URLSearchParams): boolean {
    const { username, password, identityToken } = this.#access;
    if (form.get("grant_type") === "password") {
      const given = `${form.get("username") ?? ""}:${form.get("password") ?? ""}`;
      return equal(given, `${username}:${password}`);
    }
    const given = form.get("refresh_token");
    return identityToken !== undefined && given !== null && equal(given, identityToken);
  }
}

function refused(challenge: string): HttpFailure {
  const headers = { "www-authenticate": challenge };
  return registryFailure("UNAUTHORIZED", "authentication is required", headers);
}

/** Splits `repository:name:pull,push` into single actions. */
function actionsOf(scope: string): readonly string[] {
  const [, resource, actions] = /^(repository:.+):([a-z,*]+)$/.exec(scope) ?? [];
  return (actions ?? "").split(",").map((action) => `${resource ?? ""}:${action}`);
}

function scopeOf(needs: readonly string[]): string {
  const names = [...new Set(needs.map((need) => need.slice(0, need.lastIndexOf(":"))))];
  const scopes = names.map((name) => {
    const actions = needs.filter((need) => need.startsWith(`${name}:`));
    return `${name}:${actions.map((action) => action.slice(name.length + 1)).join(",")}`;
  });
  return scopes.length === 0 ? "" : `,scope="${scopes.join(" ")}"`;
}

function equal(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function needs(method: string, repository: string, query: URLSearchParams): readonly string[] {
  const action = (name: string, verb: string) => `repository:${name}:${verb}`;
  if (method === "GET" || method === "HEAD") return [action(repository, "pull")];
  if (method === "DELETE") return [action(repository, "delete")];
  const from = query.get("from");
  const source = query.has("mount") && from !== null ? [action(from, "pull")] : [];
  return [action(repository, "pull"), action(repository, "push"), ...source];
}
