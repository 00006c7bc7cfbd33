import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formOf, googleErrorOf, paths, startGoogle } from "./google-services";

type Google = Awaited<ReturnType<typeof startGoogle>>;

const allow = { GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES: "1" };

/** The token that is exchanged, with this source of it. */
async function exchanged(google: Google, source: object, more: object = {}): Promise<string> {
  await google.token({ ...google.credentials.external, credential_source: source, ...more });
  const sent = google.requests.find(({ url }) => url === paths.sts);
  return (sent && formOf(sent)["subject_token"]) ?? "";
}

describe("a token in a file", () => {
  test("is read when it is needed, as text or as a field of JSON", async () => {
    const google = await startGoogle();
    const file = google.file("token", "from-text\n");
    expect(await exchanged(google, { file })).toBe("from-text");
    const other = await startGoogle();
    const json = other.file("token.json", { id: "from-json" });
    const format = { type: "json", subject_token_field_name: "id" };
    expect(await exchanged(other, { file: json, format })).toBe("from-json");
  });

  test.each<[string, object | string | undefined, object, RegExp]>([
    ["is missing", undefined, {}, /credential_source\.file ".*token" does not exist/],
    ["is empty", "\n", {}, /the source of the token is empty/],
    [
      "has no such field",
      { a: "HUSH" },
      { type: "json", subject_token_field_name: "id" },
      /must contain JSON with a string "id"/,
    ],
    [
      "has no JSON",
      "HUSH",
      { type: "json", subject_token_field_name: "id" },
      /must contain JSON with a string "id"/,
    ],
    [
      "has an unknown format",
      "HUSH",
      { type: "xml" },
      /credential_source\.format\.type in KEY must be text or json/,
    ],
    [
      "has no field in its format",
      "HUSH",
      { type: "json" },
      /KEY has no credential_source\.format\.subject_token_field_name/,
    ],
  ])("that %s is an error that names it", async (_, content, format, message) => {
    const google = await startGoogle();
    const file = content === undefined ? join(google.home, "token") : google.file("token", content);
    const failure = await googleErrorOf(exchanged(google, { file, format }));
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("HUSH");
    expect(google.requests).toEqual([]);
  });

  test("that cannot be read is an error that says why", async () => {
    const google = await startGoogle();
    const failure = await googleErrorOf(exchanged(google, { file: google.home }));
    expect(failure.message).toMatch(
      /^KEY: credential_source\.file ".*" cannot be used: it is not a regular file/,
    );
    expect(google.requests).toEqual([]);
  });
});

describe("a token of another service", () => {
  test("is requested with the headers of the file", async () => {
    const google = await startGoogle();
    google.answers[paths.subject] = () => ({ body: JSON.stringify({ value: "from-url" }) });
    const headers = { authorization: "bearer HUSH", "x-a": "b" };
    const format = { type: "json", subject_token_field_name: "value" };
    const url = `${google.origin}${paths.subject}?audience=x`;
    expect(await exchanged(google, { url, headers, format })).toBe("from-url");
    expect(google.requests[0]).toMatchObject({
      method: "GET",
      url: "/subject?audience=x",
      headers,
    });
  });

  test("that refuses is quoted, without the headers", async () => {
    const google = await startGoogle();
    google.answers[paths.subject] = () => ({ status: 401, body: "HUSH is not valid" });
    const url = `${google.origin}${paths.subject}`;
    const headers = { authorization: "bearer HUSH" };
    const failure = await googleErrorOf(exchanged(google, { url, headers }));
    expect(failure.message).toContain('responded with HTTP status 401: "*** is not valid"');
  });
});

describe("a program that gets a token", () => {
  const answer = {
    version: 1,
    success: true,
    token_type: "urn:ietf:params:oauth:token-type:jwt",
    id_token: "from-program",
  };

  /** A program that prints the answer, with the variables that it was given. */
  async function program(text: string, env: Readonly<Record<string, string>> = allow) {
    const google = await startGoogle(env);
    const file = google.file("program.js", text);
    const command = `"${process.execPath}" ${file}`;
    return { google, command };
  }
  const printing = (value: unknown) => `console.log(${JSON.stringify(JSON.stringify(value))})`;

  test("is not run unless the user allows it in the environment", async () => {
    const ran = join((await startGoogle()).home, "ran");
    const { google, command } = await program(
      `require("fs").writeFileSync(${JSON.stringify(ran)}, "")`,
      {},
    );
    const failure = await googleErrorOf(exchanged(google, { executable: { command } }));
    expect(failure.message).toMatch(
      /which was not run: set GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1/,
    );
    expect(() => writeFileSync(ran, "", { flag: "wx" })).not.toThrow();
  });

  const names = ["AUDIENCE", "TOKEN_TYPE", "INTERACTIVE", "IMPERSONATED_EMAIL", "OUTPUT_FILE"];

  test("receives what it needs to know", async () => {
    const { google, command } = await program(
      `const e = (n) => process.env["GOOGLE_EXTERNAL_ACCOUNT_" + n];
       const id_token = ${JSON.stringify(names)}.map(e).join("|");
       console.log(JSON.stringify({ ...${JSON.stringify(answer)}, id_token }));`,
    );
    const more = { service_account_impersonation_url: google.impersonationUrl("x@p.example") };
    const output_file = join(google.home, "not-stored-yet.json");
    const token = await exchanged(google, { executable: { command, output_file } }, more);
    const { audience, subject_token_type: type } = google.credentials.external;
    expect(token).toBe([audience, type, "0", "x@p.example", output_file].join("|"));
  });

  test("receives no account and no file that belong to other credentials", async () => {
    const inherited = Object.fromEntries(
      names.map((name) => [`GOOGLE_EXTERNAL_ACCOUNT_${name}`, "other"]),
    );
    const { google, command } = await program(
      `const id_token = ${JSON.stringify(names)}
         .map((name) => process.env["GOOGLE_EXTERNAL_ACCOUNT_" + name] ?? "none").join("|");
       console.log(JSON.stringify({ ...${JSON.stringify(answer)}, id_token }));`,
      { ...inherited, ...allow },
    );
    const token = await exchanged(google, { executable: { command } });
    const { audience, subject_token_type: type } = google.credentials.external;
    expect(token).toBe([audience, type, "0", "none", "none"].join("|"));
  });

  test("receives its arguments without the quotes around them, and with those within", async () => {
    const { google, command } = await program(
      `const id_token = process.argv.slice(2).join("|");
       console.log(JSON.stringify({ ...${JSON.stringify(answer)}, id_token }));`,
    );
    const executable = { command: `${command} "a b" --name="c d" e` };
    expect(await exchanged(google, { executable })).toBe('a b|--name="c d"|e');
  });

  test("prints a token of SAML in a field of its own", async () => {
    const subject_token_type = "urn:ietf:params:oauth:token-type:saml2";
    const { google, command } = await program(
      printing({ ...answer, token_type: subject_token_type, saml_response: "from-saml" }),
    );
    const token = await exchanged(google, { executable: { command } }, { subject_token_type });
    expect(token).toBe("from-saml");
  });

  test("is not run while the token that it has stored is valid", async () => {
    const { google, command } = await program("process.exit(1)");
    const later = { ...answer, id_token: "stored", expiration_time: 4_102_444_800 };
    const output_file = google.file("stored.json", later);
    expect(await exchanged(google, { executable: { command, output_file } })).toBe("stored");
    const past = google.file("past.json", { ...later, expiration_time: 1 });
    const failure = await googleErrorOf(
      exchanged(google, { executable: { command, output_file: past } }),
    );
    expect(failure.message).toContain("ended with the exit code 1");
  });

  test.each<[string, string, RegExp]>([
    ["prints no JSON", `console.log("HUSH")`, /must print a JSON object with "version": 1$/],
    ["prints another version", printing({ ...answer, version: 2 }), /"version": 1$/],
    [
      "prints another kind",
      printing({ ...answer, token_type: "x" }),
      /must print a token of the type urn/,
    ],
    [
      "prints no token",
      printing({ ...answer, id_token: undefined }),
      /must print the token as id_token$/,
    ],
    [
      "prints an old token",
      printing({ ...answer, expiration_time: 1 }),
      /printed a token that has expired$/,
    ],
    [
      "says why it failed",
      `${printing({ version: 1, success: false, code: "401", message: "log in" })};process.exit(1)`,
      /failed: "401: log in"$/,
    ],
    ["fails", `console.error("HUSH");process.exit(3)`, /ended with the exit code 3$/],
    ["is killed", `process.kill(process.pid, "SIGKILL")`, /ended with SIGKILL$/],
    [
      "prints without end",
      `const t="x".repeat(65536);const f=()=>process.stdout.write(t,f);f()`,
      /printed more than 1000000 bytes$/,
    ],
  ])("and that %s is an error", async (_, text, message) => {
    const { google, command } = await program(text);
    const failure = await googleErrorOf(exchanged(google, { executable: { command } }));
    expect(failure.code).toBe("SUBJECT");
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("HUSH");
  });

  test("and that does not exist is an error, not the end of the process", async () => {
    const google = await startGoogle(allow);
    const command = join(google.home, "nothing");
    const failure = await googleErrorOf(exchanged(google, { executable: { command } }));
    expect(failure.message).toMatch(/cannot be run \(ENOENT\)$/);
  });

  test("is ended after the time that its file allows", async () => {
    const { google, command } = await program("setInterval(() => {}, 1000)");
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const executable = { command, timeout_millis: 7_000 };
      const failure = googleErrorOf(exchanged(google, { executable }));
      while (jest.getTimerCount() === 0) await new Promise(setImmediate);
      jest.advanceTimersByTime(7_000);
      expect((await failure).message).toMatch(/did not end within 7 seconds \(timeout_millis\)$/);
    } finally {
      jest.useRealTimers();
    }
  });

  test("is ended with the operation that needs it", async () => {
    const { google, command } = await program("setInterval(() => {}, 1000)");
    const stop = new AbortController();
    Object.assign(google.services.context, { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(exchanged(google, { executable: { command } })).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });
});

describe("an identity of AWS", () => {
  const source = (origin: string) => ({
    environment_id: "aws1",
    region_url: `${origin}/aws/region`,
    url: `${origin}/aws/role`,
    imdsv2_session_token_url: `${origin}/aws/session`,
    regional_cred_verification_url:
      "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
  });
  test("is a signed request to AWS, with the keys of the machine's role", async () => {
    const google = await startGoogle();
    const keys = { AccessKeyId: "AKIDEXAMPLE", SecretAccessKey: "HUSH", Token: "session-key" };
    google.answers["/aws/session"] = () => ({ body: "session" });
    google.answers["/aws/region"] = () => ({ body: "us-east-2b" });
    google.answers["/aws/role/deployer"] = () => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify(keys),
    });
    google.answers["/aws/role"] = () => ({ body: "deployer" });
    const token = await exchanged(google, source(google.origin));
    const signed = JSON.parse(decodeURIComponent(token)) as {
      url: string;
      headers: { key: string; value: string }[];
    };
    expect(signed.url).toBe(
      "https://sts.us-east-2.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    );
    const header = (key: string) => signed.headers.find((each) => each.key === key)?.value;
    expect(header("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-2\/sts\/aws4_request, SignedHeaders=.*, Signature=[\da-f]{64}$/,
    );
    expect(header("x-goog-cloud-target-resource")).toBe(google.credentials.external.audience);
    const asked = google.requests.filter(({ url }) => url.startsWith("/aws/"));
    const session = "x-aws-ec2-metadata-token";
    expect(asked.map(({ method, url, headers }) => [method, url, headers[session]])).toEqual([
      ["PUT", "/aws/session", undefined],
      ["GET", "/aws/region", "session"],
      ["GET", "/aws/role", "session"],
      ["GET", "/aws/role/deployer", "session"],
    ]);
    expect(asked[0]?.headers[`${session}-ttl-seconds`]).toBe("300");
    expect(google.redacted).toEqual(expect.arrayContaining(["session", "HUSH", "session-key"]));
    expect(google.redacted).not.toContain("300");
  });

  test("is asked for without a session if the file names no such service", async () => {
    const google = await startGoogle();
    google.answers["/aws/region"] = () => ({ status: 403 });
    const withoutSession = { ...source(google.origin), imdsv2_session_token_url: "" };
    const failure = await googleErrorOf(exchanged(google, withoutSession));
    expect(failure.message).toContain("responded with HTTP status 403");
    const [asked] = google.requests;
    expect(Object.keys(asked?.headers ?? {})).not.toContain("x-aws-ec2-metadata-token");
    expect(google.redacted).not.toContain("");
  });

  test("is signed with the keys in the environment, and no metadata service is asked", async () => {
    const google = await startGoogle({
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "HUSH",
      AWS_SESSION_TOKEN: "session-key",
    });
    const token = await exchanged(google, source(google.origin));
    const { url, method, headers } = JSON.parse(decodeURIComponent(token)) as {
      url: string;
      method: string;
      headers: { key: string; value: string }[];
    };
    expect([method, url]).toEqual([
      "POST",
      "https://sts.eu-central-1.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    ]);
    const sent = Object.fromEntries(headers.map(({ key, value }) => [key, value]));
    expect(sent).toEqual({
      authorization: expect.stringContaining(
        "SignedHeaders=host;x-amz-date;x-amz-security-token;x-goog-cloud-target-resource",
      ) as string,
      host: "sts.eu-central-1.amazonaws.com",
      "x-amz-date": expect.stringMatching(/^\d{8}T\d{6}Z$/) as string,
      "x-amz-security-token": "session-key",
      "x-goog-cloud-target-resource": google.credentials.external.audience,
    });
    expect(google.requests).toHaveLength(1);
    expect(google.redacted).toContain("HUSH");
  });

  test.each([
    ["no region", {}],
    ["a region that would be another host", { AWS_REGION: "evil.example/" }],
    ["a region after another host", { AWS_REGION: "evil.example/eu-central-1" }],
    ["no keys", { AWS_REGION: "eu-central-1", AWS_SECRET_ACCESS_KEY: "" }],
  ])("is an error with %s, and nothing is sent", async (_, env) => {
    const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "HUSH" };
    const google = await startGoogle({ ...keys, ...env });
    const { environment_id, regional_cred_verification_url } = source(google.origin);
    const failure = await googleErrorOf(
      exchanged(google, { environment_id, regional_cred_verification_url }),
    );
    expect(failure).toMatchObject({ code: "SUBJECT" });
    expect(failure.message).toContain("the AWS credentials or the region are missing or invalid");
    expect(google.requests).toEqual([]);
  });

  test.each([{ AccessKeyId: "AKIDEXAMPLE" }, { SecretAccessKey: "HUSH" }, {}])(
    "is an error if the role of the machine has only a part of its keys: %j",
    async (keys) => {
      const google = await startGoogle();
      google.answers["/aws/session"] = () => ({ body: "session" });
      google.answers["/aws/region"] = () => ({ body: "us-east-2b" });
      google.answers["/aws/role/deployer"] = () => ({ body: JSON.stringify(keys) });
      google.answers["/aws/role"] = () => ({ body: "deployer" });
      const failure = await googleErrorOf(exchanged(google, source(google.origin)));
      expect(failure).toMatchObject({ code: "SUBJECT" });
      expect(failure.message).toContain("the AWS credentials or the region are missing or invalid");
    },
  );

  test.each([
    [403, /the metadata service of AWS responded with HTTP status 403/],
    [500, /the metadata service of AWS responded with HTTP status 500/],
  ])("is an error without any: HTTP %s", async (status, message) => {
    const google = await startGoogle();
    google.answers["/aws/"] = () => ({ status, body: "HUSH" });
    const failure = await googleErrorOf(exchanged(google, source(google.origin)));
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain("AWS_ACCESS_KEY_ID");
    expect(failure.message).not.toContain("HUSH");
  });
});
