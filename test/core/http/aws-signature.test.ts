import { signedHeaders } from "../../../src/core/http/aws-signature";

// From Amazon's test suite for version 4 of its signatures.
test.each([
  ["GET", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["POST", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  // get-vanilla-query-order-key-case
  [
    "GET",
    "/?Param2=value2&Param1=value1",
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
])("a %s request for %s is signed as in Amazon's own example", (method, path, signature) => {
  const { authorization } = signedHeaders(
    {
      method,
      url: new URL(path, "https://example.amazonaws.com"),
      headers: {},
      body: "",
      region: "us-east-1",
      service: "service",
      now: new Date("2015-08-30T12:36:00Z"),
    },
    {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    },
  );
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  );
});
