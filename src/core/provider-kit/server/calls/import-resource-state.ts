import { check, checkValue } from "../../../schema/check";
import { type Declaration, importForms } from "../../../schema/declaration";
import type { Values } from "../../../schema/resource-rule";
import { wireName } from "../../../schema/attribute";
import { deferredBy, ProviderError } from "../provider-error";
import type { ImportParts, ResourceImplementation } from "../implementation";
import { type Call, diagnosed, StoredPrivateState } from "./call";
import { formatPath } from "../../../schema/finding";
import type { Context } from "../context";
import type { Session } from "../session";
import { importedMark } from "./resource-identity";
import type {
  ResourceIdentityData,
  ResourceIdentityDataInit,
} from "../../wire/tfplugin6/tfplugin6-value";
import { wirePath } from "../../cty/type";

/** Converts an import ID, or an identity, to the partial state that the following read needs. */
export const importResourceState: Call<"importResourceState"> = (session, request, context) =>
  diagnosed((warnings) => {
    const { typeName, id } = request;
    const implementation = session.resource(typeName);
    const { declaration } = implementation;
    const compiled = session.compiled(declaration);
    const handlerContext = () => session.context({ compiled, context, warnings }, {});
    const encode = (state: Values) => compiled.encode({ ...noBlocks(declaration), ...state });
    const imported = () => {
      if (request.identity !== undefined) {
        session.throwIfDeferred();
        return importByIdentity(session, implementation, request.identity, handlerContext);
      }
      const parts = importParts(declaration, id);
      session.throwIfDeferred();
      return { state: implementation.import?.(parts, handlerContext()) ?? parts };
    };
    try {
      const resource = imported();
      return { importedResources: [{ ...resource, typeName, state: encode(resource.state) }] };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) return deferred;
      throw error;
    }
  });

function importParts(declaration: Declaration, id: string): ImportParts {
  const { type, importId, attributes } = declaration;
  if (importId.length === 0) {
    throw new ProviderError({
      summary: "Import Not Supported",
      detail: `A resource of type ${type} cannot be imported.`,
    });
  }
  const forms = importForms(declaration)
    .map((form) => `  ${form}`)
    .join("\n");
  const parts = matchImportId(importId, id);
  if (parts === undefined) {
    throw new ProviderError({
      summary: "Invalid Import ID",
      detail: `The ID ${JSON.stringify(id)} does not match any import ID format of ${type}:\n${forms}`,
    });
  }
  for (const [name, value] of Object.entries(parts)) {
    const attribute = attributes[name];
    const finding = attribute && checkValue(attribute.type, value, () => false).find(isError);
    if (finding !== undefined) {
      throw new ProviderError({
        summary: "Invalid Import ID",
        detail: `In the ID ${JSON.stringify(id)}, ${wireName(name, attribute)} ${finding.message}. The formats are:\n${forms}`,
      });
    }
  }
  return parts;
}

/** Terraform expects an empty collection, not null, for a repeated block without elements. */
const noBlocks = ({ blocks }: Declaration): Values =>
  Object.fromEntries(
    Object.entries(blocks)
      .filter(([, { nesting }]) => nesting !== "single")
      .map(([name]) => [name, []]),
  );

const isError = ({ severity }: { readonly severity: string }): boolean => severity === "error";

/**
 * Splits an import ID by the first template that matches.
 *
 * A placeholder such as `{project}` matches one or more characters except slashes; `{+image}`
 * matches any characters.
 *
 * @returns the parts by name; undefined when no template matches
 */
export function matchImportId(templates: readonly string[], id: string): ImportParts | undefined {
  for (const template of templates) {
    const source = template
      .split(/(\{\+?\w+\})/)
      .map(sourceOf)
      .join("");
    const groups = new RegExp(`^${source}$`).exec(id)?.groups;
    if (groups !== undefined) return { ...groups };
  }
  return undefined;
}

function sourceOf(piece: string): string {
  const [, plus, name] = /^\{(\+?)(\w+)\}$/.exec(piece) ?? [];
  if (name === undefined) return piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `(?<${name}>${plus === "+" ? ".+" : "[^/]+"})`;
}

/** The result of an import by identity, before its state is encoded. */
interface ImportedByIdentity {
  readonly state: Values;
  /** The given identity, which the following read completes. */
  readonly identity: ResourceIdentityDataInit;
  readonly private: Uint8Array;
}

/** Converts an identity to the partial state that the following read needs. */
function importByIdentity<Client>(
  session: Session<Client>,
  implementation: ResourceImplementation<Client>,
  { identityData }: ResourceIdentityData,
  context: () => Context<Client>,
): ImportedByIdentity {
  const { type, identity: declaration } = implementation.declaration;
  if (declaration === undefined) {
    throw new ProviderError({
      summary: "Import Not Supported",
      detail: `A resource of type ${type} has no identity, so it cannot be imported by identity.`,
    });
  }
  const compiled = session.compiled(declaration);
  const identity = compiled.decodeConfig(identityData);
  const finding = check(declaration, identity, () => false).find(
    ({ severity }) => severity === "error",
  );
  if (finding !== undefined) {
    throw new ProviderError({
      summary: "Invalid Import Identity",
      detail: `${formatPath(wirePath(compiled.type, finding.path))} ${finding.message}.`,
    });
  }
  const mark = new StoredPrivateState(new Uint8Array());
  mark.set(importedMark, "identity");
  return {
    state: implementation.importByIdentity?.(identity, context()) ?? identity,
    identity: { identityData: compiled.encode(identity) },
    private: mark.toBytes(),
  };
}
