import { implementDataSource, ProviderError } from "../../provider-kit";
import { workspaceOwner } from "./declare";
import { type Workspace, derivedUuid } from "../provider/configure";

/** Handlers of `workspace_workspace_owner`: reads the owner from the build data. */
export const workspaceOwnerHandlers = implementDataSource(workspaceOwner)<Workspace>({
  read(_config, { client: { environment }, log }) {
    const { id, groups, rbacRoles, ...facts } = environment.owner;
    for (const secret of [facts.sshPrivateKey, facts.sessionToken, facts.oidcAccessToken]) {
      log.redact(secret);
    }
    if (!groups.ok || !rbacRoles.ok) {
      const problems = [groups, rbacRoles].flatMap((read) => (read.ok ? [] : [read.problem]));
      throw new ProviderError({
        summary: "Invalid Owner Data",
        detail: problems.join("\n"),
      });
    }
    return Promise.resolve({
      ...facts,
      id: id === "" ? derivedUuid("owner", facts.name) : id,
      groups: groups.value,
      rbacRoles: rbacRoles.value,
    });
  },
});
