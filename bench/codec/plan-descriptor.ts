import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

type Field = readonly [name: string, number: number, type: Type | string, label?: Label];

const value = "DynamicValue";

/** The messages of a plan, in the order in which `protobuf-library.ts` refers to them. */
const messages: Readonly<Record<string, readonly Field[]>> = {
  [value]: [
    ["msgpack", 1, Type.BYTES],
    ["json", 2, Type.BYTES],
  ],
  Step: [
    ["attribute_name", 1, Type.STRING],
    ["element_key_string", 2, Type.STRING],
    ["element_key_int", 3, Type.INT64],
  ],
  AttributePath: [["steps", 1, "Step", Label.REPEATED]],
  Diagnostic: [
    // An enum on the wire.
    ["severity", 1, Type.INT32],
    ["summary", 2, Type.STRING],
    ["detail", 3, Type.STRING],
    ["attribute", 4, "AttributePath"],
  ],
  Request: [
    ["type_name", 1, Type.STRING],
    ["prior_state", 2, value],
    ["proposed_new_state", 3, value],
    ["config", 4, value],
    ["prior_private", 5, Type.BYTES],
  ],
  Response: [
    ["planned_state", 1, value],
    ["requires_replace", 2, "AttributePath", Label.REPEATED],
    ["planned_private", 3, Type.BYTES],
    ["diagnostics", 4, "Diagnostic", Label.REPEATED],
  ],
};

/** Returns the descriptor of these messages in the form in which generated code contains it. */
export function planDescriptor(): string {
  const file = create(FileDescriptorProtoSchema, {
    name: "plan.proto",
    package: "tfplugin6",
    syntax: "proto3",
    messageType: Object.entries(messages).map(([name, fields]) => ({
      name,
      // Exactly one of the three members of a step is set.
      oneofDecl: name === "Step" ? [{ name: "selector" }] : [],
      field: fields.map(([field, number, type, label = Label.OPTIONAL]) => ({
        name: field,
        number,
        label,
        ...(typeof type === "string"
          ? { type: Type.MESSAGE, typeName: `.tfplugin6.${type}` }
          : { type }),
        ...(name === "Step" && { oneofIndex: 0 }),
      })),
    })),
  });
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}
