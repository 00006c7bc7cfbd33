// https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface EndpointConfig extends cdktf.TerraformMetaArguments {
  /**
  * User-provided description of the endpoint.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#description Endpoint#description}
  */
  readonly description?: string;
  /**
  * ID of the endpoint, the last part of its name. There is no automatic naming.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#endpoint_id Endpoint#endpoint_id}
  */
  readonly endpointId: string;
  /**
  * Labels of the endpoint.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#labels Endpoint#labels}
  */
  readonly labels?: { [key: string]: string };
  /**
  * Location in which the endpoint is created: a zone, such as `us-central1-f`. By default the provider's `zone`, else its `region`.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#location Endpoint#location}
  */
  readonly location?: string;
  /**
  * Fully qualified URL of the network to which the endpoint is attached.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#network Endpoint#network}
  */
  readonly network?: string;
  /**
  * Project in which the endpoint is created. By default the provider's `project`.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#project Endpoint#project}
  */
  readonly project?: string;
  /**
  * Idempotency key of the creation: the service ignores a repeated request with the same key for at least 60 minutes. By default every request has a random one of its own.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#request_id Endpoint#request_id}
  */
  readonly requestId?: string;
  /**
  * Lowest threat severity that the endpoint alerts on.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#severity Endpoint#severity}
  */
  readonly severity?: string;
  /**
  * Threat IDs that are excepted from generating alerts.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#threat_exceptions Endpoint#threat_exceptions}
  */
  readonly threatExceptions?: string[];
  /**
  * Whether the endpoint reports traffic logs in addition to threat logs.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#traffic_logs Endpoint#traffic_logs}
  */
  readonly trafficLogs?: boolean | cdktf.IResolvable;
  /**
  * timeouts block
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#timeouts Endpoint#timeouts}
  */
  readonly timeouts?: EndpointTimeouts;
}
export interface EndpointTimeouts {
  /**
  * Time-out of this operation.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#create Endpoint#create}
  */
  readonly create?: string;
  /**
  * Time-out of this operation.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#delete Endpoint#delete}
  */
  readonly delete?: string;
  /**
  * Time-out of this operation.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#update Endpoint#update}
  */
  readonly update?: string;
}

export function endpointTimeoutsToTerraform(struct?: EndpointTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    create: cdktf.stringToTerraform(struct!.create),
    delete: cdktf.stringToTerraform(struct!.delete),
    update: cdktf.stringToTerraform(struct!.update),
  }
}


export function endpointTimeoutsToHclTerraform(struct?: EndpointTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    create: {
      value: cdktf.stringToHclTerraform(struct!.create),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    delete: {
      value: cdktf.stringToHclTerraform(struct!.delete),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    update: {
      value: cdktf.stringToHclTerraform(struct!.update),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class EndpointTimeoutsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): EndpointTimeouts | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._create !== undefined) {
      hasAnyValues = true;
      internalValueResult.create = this._create;
    }
    if (this._delete !== undefined) {
      hasAnyValues = true;
      internalValueResult.delete = this._delete;
    }
    if (this._update !== undefined) {
      hasAnyValues = true;
      internalValueResult.update = this._update;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: EndpointTimeouts | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._create = undefined;
      this._delete = undefined;
      this._update = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._create = value.create;
      this._delete = value.delete;
      this._update = value.update;
    }
  }

  // create - computed: false, optional: true, required: false
  private _create?: string; 
  public get create() {
    return this.getStringAttribute('create');
  }
  public set create(value: string) {
    this._create = value;
  }
  public resetCreate() {
    this._create = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get createInput() {
    return this._create;
  }

  // delete - computed: false, optional: true, required: false
  private _delete?: string; 
  public get delete() {
    return this.getStringAttribute('delete');
  }
  public set delete(value: string) {
    this._delete = value;
  }
  public resetDelete() {
    this._delete = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get deleteInput() {
    return this._delete;
  }

  // update - computed: false, optional: true, required: false
  private _update?: string; 
  public get update() {
    return this.getStringAttribute('update');
  }
  public set update(value: string) {
    this._update = value;
  }
  public resetUpdate() {
    this._update = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get updateInput() {
    return this._update;
  }
}

/**
* Represents a {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint ids_endpoint}
*/
export class Endpoint extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "ids_endpoint";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a Endpoint resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the Endpoint to import
  * @param importFromId The id of the existing Endpoint that should be imported. Refer to the {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the Endpoint to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "ids_endpoint", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://trivet.local/providers/trivet/ids/0.1.0/docs/resources/endpoint ids_endpoint} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options EndpointConfig
  */
  public constructor(scope: Construct, id: string, config: EndpointConfig) {
    super(scope, id, {
      terraformResourceType: 'ids_endpoint',
      terraformGeneratorMetadata: {
        providerName: 'ids',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._description = config.description;
    this._endpointId = config.endpointId;
    this._labels = config.labels;
    this._location = config.location;
    this._network = config.network;
    this._project = config.project;
    this._requestId = config.requestId;
    this._severity = config.severity;
    this._threatExceptions = config.threatExceptions;
    this._trafficLogs = config.trafficLogs;
    this._timeouts.internalValue = config.timeouts;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // create_time - computed: true, optional: false, required: false
  public get createTime() {
    return this.getStringAttribute('create_time');
  }

  // description - computed: false, optional: true, required: false
  private _description?: string; 
  public get description() {
    return this.getStringAttribute('description');
  }
  public set description(value: string) {
    this._description = value;
  }
  public resetDescription() {
    this._description = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get descriptionInput() {
    return this._description;
  }

  // endpoint_forwarding_rule - computed: true, optional: false, required: false
  public get endpointForwardingRule() {
    return this.getStringAttribute('endpoint_forwarding_rule');
  }

  // endpoint_id - computed: false, optional: false, required: true
  private _endpointId?: string; 
  public get endpointId() {
    return this.getStringAttribute('endpoint_id');
  }
  public set endpointId(value: string) {
    this._endpointId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get endpointIdInput() {
    return this._endpointId;
  }

  // endpoint_ip - computed: true, optional: false, required: false
  public get endpointIp() {
    return this.getStringAttribute('endpoint_ip');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // labels - computed: false, optional: true, required: false
  private _labels?: { [key: string]: string }; 
  public get labels() {
    return this.getStringMapAttribute('labels');
  }
  public set labels(value: { [key: string]: string }) {
    this._labels = value;
  }
  public resetLabels() {
    this._labels = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get labelsInput() {
    return this._labels;
  }

  // location - computed: true, optional: true, required: false
  private _location?: string; 
  public get location() {
    return this.getStringAttribute('location');
  }
  public set location(value: string) {
    this._location = value;
  }
  public resetLocation() {
    this._location = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get locationInput() {
    return this._location;
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // network - computed: false, optional: true, required: false
  private _network?: string; 
  public get network() {
    return this.getStringAttribute('network');
  }
  public set network(value: string) {
    this._network = value;
  }
  public resetNetwork() {
    this._network = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get networkInput() {
    return this._network;
  }

  // project - computed: true, optional: true, required: false
  private _project?: string; 
  public get project() {
    return this.getStringAttribute('project');
  }
  public set project(value: string) {
    this._project = value;
  }
  public resetProject() {
    this._project = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectInput() {
    return this._project;
  }

  // request_id - computed: false, optional: true, required: false
  private _requestId?: string; 
  public get requestId() {
    return this.getStringAttribute('request_id');
  }
  public set requestId(value: string) {
    this._requestId = value;
  }
  public resetRequestId() {
    this._requestId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get requestIdInput() {
    return this._requestId;
  }

  // severity - computed: false, optional: true, required: false
  private _severity?: string; 
  public get severity() {
    return this.getStringAttribute('severity');
  }
  public set severity(value: string) {
    this._severity = value;
  }
  public resetSeverity() {
    this._severity = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get severityInput() {
    return this._severity;
  }

  // state - computed: true, optional: false, required: false
  public get state() {
    return this.getStringAttribute('state');
  }

  // threat_exceptions - computed: false, optional: true, required: false
  private _threatExceptions?: string[]; 
  public get threatExceptions() {
    return this.getListAttribute('threat_exceptions');
  }
  public set threatExceptions(value: string[]) {
    this._threatExceptions = value;
  }
  public resetThreatExceptions() {
    this._threatExceptions = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get threatExceptionsInput() {
    return this._threatExceptions;
  }

  // traffic_logs - computed: true, optional: true, required: false
  private _trafficLogs?: boolean | cdktf.IResolvable; 
  public get trafficLogs() {
    return this.getBooleanAttribute('traffic_logs');
  }
  public set trafficLogs(value: boolean | cdktf.IResolvable) {
    this._trafficLogs = value;
  }
  public resetTrafficLogs() {
    this._trafficLogs = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get trafficLogsInput() {
    return this._trafficLogs;
  }

  // update_time - computed: true, optional: false, required: false
  public get updateTime() {
    return this.getStringAttribute('update_time');
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new EndpointTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }
  public putTimeouts(value: EndpointTimeouts) {
    this._timeouts.internalValue = value;
  }
  public resetTimeouts() {
    this._timeouts.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get timeoutsInput() {
    return this._timeouts.internalValue;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      description: cdktf.stringToTerraform(this._description),
      endpoint_id: cdktf.stringToTerraform(this._endpointId),
      labels: cdktf.hashMapper(cdktf.stringToTerraform)(this._labels),
      location: cdktf.stringToTerraform(this._location),
      network: cdktf.stringToTerraform(this._network),
      project: cdktf.stringToTerraform(this._project),
      request_id: cdktf.stringToTerraform(this._requestId),
      severity: cdktf.stringToTerraform(this._severity),
      threat_exceptions: cdktf.listMapper(cdktf.stringToTerraform, false)(this._threatExceptions),
      traffic_logs: cdktf.booleanToTerraform(this._trafficLogs),
      timeouts: endpointTimeoutsToTerraform(this._timeouts.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      description: {
        value: cdktf.stringToHclTerraform(this._description),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      endpoint_id: {
        value: cdktf.stringToHclTerraform(this._endpointId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      labels: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._labels),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
      location: {
        value: cdktf.stringToHclTerraform(this._location),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      network: {
        value: cdktf.stringToHclTerraform(this._network),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project: {
        value: cdktf.stringToHclTerraform(this._project),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      request_id: {
        value: cdktf.stringToHclTerraform(this._requestId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      severity: {
        value: cdktf.stringToHclTerraform(this._severity),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      threat_exceptions: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._threatExceptions),
        isBlock: false,
        type: "list",
        storageClassType: "stringList",
      },
      traffic_logs: {
        value: cdktf.booleanToHclTerraform(this._trafficLogs),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      timeouts: {
        value: endpointTimeoutsToHclTerraform(this._timeouts.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "EndpointTimeouts",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
