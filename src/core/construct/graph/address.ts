import {
  TerraformDataSource,
  TerraformLocal,
  TerraformModule,
  TerraformOutput,
  TerraformProvider,
  TerraformRemoteState,
  TerraformResource,
  TerraformVariable,
} from "cdktf";
import type { IConstruct } from "constructs";
import { sectionOf } from "../cdktf-internals/binding";

/**
 * Returns the address of an element in its stack, such as `ids_endpoint.edge`; undefined for elements without
 * an address.
 *
 * @see https://developer.hashicorp.com/terraform/cli/state/resource-addressing
 */
export function addressOf(element: IConstruct): string | undefined {
  if (TerraformResource.isTerraformResource(element)) {
    const address = `${element.terraformResourceType}.${element.friendlyUniqueId}`;
    const move = element.hasResourceMove();
    const stays = move === undefined || ("to" in move && move.to === address);
    return stays ? address : undefined;
  }
  if (TerraformDataSource.isTerraformDataSource(element)) {
    return `${sectionOf(element)}.${element.terraformResourceType}.${element.friendlyUniqueId}`;
  }
  if (TerraformProvider.isTerraformProvider(element)) return `provider.${element.fqn}`;
  if (element instanceof TerraformModule) return `module.${element.friendlyUniqueId}`;
  if (element instanceof TerraformLocal) return `local.${element.friendlyUniqueId}`;
  if (element instanceof TerraformVariable) return `var.${element.friendlyUniqueId}`;
  if (TerraformOutput.isTerraformOutput(element)) return `output.${element.friendlyUniqueId}`;
  if (element instanceof TerraformRemoteState) {
    return `data.terraform_remote_state.${element.friendlyUniqueId}`;
  }
  return undefined;
}

/** Returns the address at the beginning of a reference such as `data.workspace_parameter.region.value`. */
export function addressIn(reference: string): string {
  return /^(?:(?:data|ephemeral|action)\.)?[^.[]+\.[^.[]+/.exec(reference)?.[0] ?? reference;
}
