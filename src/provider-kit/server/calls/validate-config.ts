import { errorDiagnostic } from "../diagnostic";
import { writeOnlyDiagnostics } from "../write-only";
import { type Call, diagnosed } from "./call";

/** Checks the provider's settings against their rules. */
export const validateProviderConfig: Call<"validateProviderConfig"> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.definition.declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });

/**
 * Checks the known values of a resource against its rules. Terraform also calls it before every
 * plan.
 */
export const validateResourceConfig: Call<"validateResourceConfig"> = (session, request) =>
  diagnosed(() => {
    const { declaration } = session.resource(request.typeName);
    const compiled = session.compiled(declaration);
    const config = compiled.decodeConfig(request.config);
    const isAllowed = request.clientCapabilities?.writeOnlyAttributesAllowed === true;
    const refused = isAllowed ? [] : writeOnlyDiagnostics(compiled, config);
    return { diagnostics: [...refused, ...compiled.validate(config)] };
  });

/** Checks the known values of a data source against its rules, and then by its handler. */
export const validateDataResourceConfig: Call<"validateDataResourceConfig"> = (session, request) =>
  diagnosed(async (diagnostics) => {
    const { declaration, validate } = session.dataSource(request.typeName);
    const compiled = session.compiled(declaration);
    const config = compiled.decodeConfig(request.config);
    diagnostics.push(...compiled.validate(config));
    if (diagnostics.length > 0) return {};
    try {
      await validate?.(config);
    } catch (error) {
      diagnostics.push(errorDiagnostic(error, compiled.type));
    }
    return {};
  });

/** Checks the known values of an ephemeral resource against its rules. */
export const validateEphemeralResourceConfig: Call<"validateEphemeralResourceConfig"> = (
  session,
  request,
) =>
  diagnosed(() => {
    const compiled = session.compiled(session.ephemeralResource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });

/** Checks the known values of a list's configuration against its rules. */
export const validateListResourceConfig: Call<"validateListResourceConfig"> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.listResource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });

/** Checks the known values of an action's configuration against its rules. */
export const validateActionConfig: Call<"validateActionConfig"> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.action(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });
