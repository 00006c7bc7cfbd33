"use strict";

/**
 * Gets a token with Google's own library, in a process of its own: `node google-library.js JSON`. Its requests to
 * Google's hosts go to the server at `origin` instead.
 */
const {
  ExternalAccountAuthorizedUserClient,
  IdentityPoolClient,
  Impersonated,
  JWT,
  OAuth2Client,
  UserRefreshClient,
} = require("google-auth-library");

const { kind, json, origin, scope, account, delegates } = JSON.parse(process.argv[2]);
const options = {
  transporterOptions: {
    fetchImplementation(input, init) {
      const { pathname, search } = new URL(input.toString());
      return fetch(`${origin}${pathname}${search}`, init);
    },
  },
};

const clients = {
  serviceAccount() {
    const { client_email: email, private_key: key, private_key_id: keyId } = json;
    return new JWT({ email, key, keyId, scopes: [scope], ...options });
  },
  user() {
    const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = json;
    return new UserRefreshClient({ clientId, clientSecret, refreshToken, ...options });
  },
  workforceUser: () => new ExternalAccountAuthorizedUserClient(json),
  external: () => new IdentityPoolClient(json),
  impersonated() {
    const sourceClient = new OAuth2Client();
    sourceClient.setCredentials({ access_token: "oauth-token" });
    const target = { targetPrincipal: account, targetScopes: [scope], delegates };
    return new Impersonated({ sourceClient, ...target, endpoint: origin });
  },
};

clients[kind]()
  .getAccessToken()
  .then(({ token }) => process.stdout.write(token));
