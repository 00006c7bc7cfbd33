import type { FunctionDeclaration, Parameter } from "../../../schema/function";
import type { Type } from "../../../schema/type";
import { wireName } from "../../../schema/attribute";
import { wireType } from "../../../schema/wire-schema";
import type {
  FunctionParameterInit,
  FunctionSignatureInit,
} from "../../wire/tfplugin6/tfplugin6-schema";

const encoder = new TextEncoder();

/** Converts a declared function to the protocol's message. */
export function functionSignature(declaration: FunctionDeclaration): FunctionSignatureInit {
  const { parameters, returns, summary, doc, deprecated } = declaration;
  const all = Object.entries(parameters);
  const last = all.find(([, { isVariadic }]) => isVariadic);
  return {
    parameters: all.filter((each) => each !== last).map(([name, each]) => message(name, each)),
    ...(last && { variadicParameter: message(...last) }),
    return: { type: encodeType(returns) },
    summary,
    description: doc,
    descriptionKind: "MARKDOWN",
    ...(deprecated !== undefined && { deprecationMessage: deprecated }),
  };
}

function message(name: string, parameter: Parameter): FunctionParameterInit {
  const { type, doc, allowNull, allowUnknown } = parameter;
  return {
    name: wireName(name, parameter),
    type: encodeType(type),
    allowNullValue: allowNull === true,
    allowUnknownValues: allowUnknown === true,
    description: doc,
    descriptionKind: "MARKDOWN",
  };
}

const encodeType = (type: Type): Uint8Array => encoder.encode(JSON.stringify(wireType(type)));
