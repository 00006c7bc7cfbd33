import { type Decoded, type Encodable, field, message } from "../protobuf/protobuf";
import { Schema } from "./tfplugin6-schema";
import { ClientCapabilities, Deferred, Diagnostic, DynamicValue } from "./tfplugin6-value";

/**
 * The schema of an action's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ActionSchema = message(() => ({
  schema: field.message(1, () => Schema),
}));
/**
 * A decoded {@link ActionSchema} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ActionSchema = Decoded<typeof ActionSchema>;

/**
 * The type name of an action.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ActionMetadata = message(() => ({
  typeName: field.string(1),
}));
/**
 * A decoded {@link ActionMetadata} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ActionMetadata = Decoded<typeof ActionMetadata>;

/**
 * Requests a check of an action's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateActionConfigRequest = message(() => ({
  typeName: field.string(1),
  config: field.message(2, () => DynamicValue),
}));
/**
 * A decoded {@link ValidateActionConfigRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateActionConfigRequest = Decoded<typeof ValidateActionConfigRequest>;

/**
 * The problems in an action's configuration.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ValidateActionConfigResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ValidateActionConfigResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ValidateActionConfigResponse = Decoded<typeof ValidateActionConfigResponse>;

/**
 * Requests the plan of an action.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const PlanActionRequest = message(() => ({
  actionType: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
/**
 * A decoded {@link PlanActionRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type PlanActionRequest = Decoded<typeof PlanActionRequest>;

/**
 * The plan of an action: its problems, or the reason for which it is deferred.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const PlanActionResponse = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
  deferred: field.message(2, () => Deferred),
}));
/**
 * A decoded {@link PlanActionResponse} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type PlanActionResponse = Decoded<typeof PlanActionResponse>;

/**
 * Requests that an action runs.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const InvokeActionRequest = message(() => ({
  actionType: field.string(1),
  config: field.message(2, () => DynamicValue),
  clientCapabilities: field.message(3, () => ClientCapabilities),
}));
/**
 * A decoded {@link InvokeActionRequest} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type InvokeActionRequest = Decoded<typeof InvokeActionRequest>;

/**
 * A progress message of a running action, for the user.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ActionProgress = message(() => ({
  message: field.string(1),
}));
/**
 * A decoded {@link ActionProgress} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ActionProgress = Decoded<typeof ActionProgress>;

/**
 * The end of an action.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const ActionCompleted = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
/**
 * A decoded {@link ActionCompleted} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type ActionCompleted = Decoded<typeof ActionCompleted>;

/**
 * Progress of an action, or its end. Exactly one of the two is set.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export const InvokeActionEvent = message(() => ({
  progress: field.message(1, () => ActionProgress),
  completed: field.message(2, () => ActionCompleted),
}));
/**
 * A decoded {@link InvokeActionEvent} message.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type InvokeActionEvent = Decoded<typeof InvokeActionEvent>;
/**
 * The input for encoding {@link InvokeActionEvent}: every field is optional.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/plugin-protocol/tfplugin6.proto}
 */
export type InvokeActionEventInit = Encodable<typeof InvokeActionEvent>;
