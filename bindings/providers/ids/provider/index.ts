// https://trivet.local/providers/trivet/ids/0.1.0/docs
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface IdsProviderConfig {
  /**
  * OAuth 2.0 access token, used as it is.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#access_token IdsProvider#access_token}
  */
  readonly accessToken?: string;
  /**
  * Base URL of the service, with `/v1/`: another instance of it, or the local back end that `trivet local ids` starts. By default `https://ids.googleapis.com/v1/`.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#cloud_ids_custom_endpoint IdsProvider#cloud_ids_custom_endpoint}
  */
  readonly cloudIdsCustomEndpoint?: string;
  /**
  * Key of a service account, or credentials of a user: the path of a JSON file, or its text.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#credentials IdsProvider#credentials}
  */
  readonly credentials?: string;
  /**
  * How often a running operation is asked for its result. By default after 5 seconds, then after twice the time before, at most 45 seconds.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#poll_interval IdsProvider#poll_interval}
  */
  readonly pollInterval?: string;
  /**
  * Project of the endpoints that name none.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#project IdsProvider#project}
  */
  readonly project?: string;
  /**
  * Location of the endpoints that name none, when there is no `zone`.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#region IdsProvider#region}
  */
  readonly region?: string;
  /**
  * How long one HTTP request may take. By default `120s`.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#request_timeout IdsProvider#request_timeout}
  */
  readonly requestTimeout?: string;
  /**
  * Location of the endpoints that name none.
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#zone IdsProvider#zone}
  */
  readonly zone?: string;
  /**
  * Alias name
  *
  * Docs at Terraform Registry: {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#alias IdsProvider#alias}
  */
  readonly alias?: string;
}

/**
* Represents a {@link https://trivet.local/providers/trivet/ids/0.1.0/docs ids}
*/
export class IdsProvider extends cdktf.TerraformProvider {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "ids";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a IdsProvider resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the IdsProvider to import
  * @param importFromId The id of the existing IdsProvider that should be imported. Refer to the {@link https://trivet.local/providers/trivet/ids/0.1.0/docs#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the IdsProvider to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "ids", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://trivet.local/providers/trivet/ids/0.1.0/docs ids} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options IdsProviderConfig = {}
  */
  public constructor(scope: Construct, id: string, config: IdsProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'ids',
      terraformGeneratorMetadata: {
        providerName: 'ids',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      terraformProviderSource: 'trivet.local/trivet/ids'
    });
    this._accessToken = config.accessToken;
    this._cloudIdsCustomEndpoint = config.cloudIdsCustomEndpoint;
    this._credentials = config.credentials;
    this._pollInterval = config.pollInterval;
    this._project = config.project;
    this._region = config.region;
    this._requestTimeout = config.requestTimeout;
    this._zone = config.zone;
    this._alias = config.alias;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // access_token - computed: false, optional: true, required: false
  private _accessToken?: string; 
  public get accessToken() {
    return this._accessToken;
  }
  public set accessToken(value: string | undefined) {
    this._accessToken = value;
  }
  public resetAccessToken() {
    this._accessToken = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get accessTokenInput() {
    return this._accessToken;
  }

  // cloud_ids_custom_endpoint - computed: false, optional: true, required: false
  private _cloudIdsCustomEndpoint?: string; 
  public get cloudIdsCustomEndpoint() {
    return this._cloudIdsCustomEndpoint;
  }
  public set cloudIdsCustomEndpoint(value: string | undefined) {
    this._cloudIdsCustomEndpoint = value;
  }
  public resetCloudIdsCustomEndpoint() {
    this._cloudIdsCustomEndpoint = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get cloudIdsCustomEndpointInput() {
    return this._cloudIdsCustomEndpoint;
  }

  // credentials - computed: false, optional: true, required: false
  private _credentials?: string; 
  public get credentials() {
    return this._credentials;
  }
  public set credentials(value: string | undefined) {
    this._credentials = value;
  }
  public resetCredentials() {
    this._credentials = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get credentialsInput() {
    return this._credentials;
  }

  // poll_interval - computed: false, optional: true, required: false
  private _pollInterval?: string; 
  public get pollInterval() {
    return this._pollInterval;
  }
  public set pollInterval(value: string | undefined) {
    this._pollInterval = value;
  }
  public resetPollInterval() {
    this._pollInterval = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get pollIntervalInput() {
    return this._pollInterval;
  }

  // project - computed: false, optional: true, required: false
  private _project?: string; 
  public get project() {
    return this._project;
  }
  public set project(value: string | undefined) {
    this._project = value;
  }
  public resetProject() {
    this._project = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectInput() {
    return this._project;
  }

  // region - computed: false, optional: true, required: false
  private _region?: string; 
  public get region() {
    return this._region;
  }
  public set region(value: string | undefined) {
    this._region = value;
  }
  public resetRegion() {
    this._region = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get regionInput() {
    return this._region;
  }

  // request_timeout - computed: false, optional: true, required: false
  private _requestTimeout?: string; 
  public get requestTimeout() {
    return this._requestTimeout;
  }
  public set requestTimeout(value: string | undefined) {
    this._requestTimeout = value;
  }
  public resetRequestTimeout() {
    this._requestTimeout = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get requestTimeoutInput() {
    return this._requestTimeout;
  }

  // zone - computed: false, optional: true, required: false
  private _zone?: string; 
  public get zone() {
    return this._zone;
  }
  public set zone(value: string | undefined) {
    this._zone = value;
  }
  public resetZone() {
    this._zone = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get zoneInput() {
    return this._zone;
  }

  // alias - computed: false, optional: true, required: false
  private _alias?: string; 
  public get alias() {
    return this._alias;
  }
  public set alias(value: string | undefined) {
    this._alias = value;
  }
  public resetAlias() {
    this._alias = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get aliasInput() {
    return this._alias;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      access_token: cdktf.stringToTerraform(this._accessToken),
      cloud_ids_custom_endpoint: cdktf.stringToTerraform(this._cloudIdsCustomEndpoint),
      credentials: cdktf.stringToTerraform(this._credentials),
      poll_interval: cdktf.stringToTerraform(this._pollInterval),
      project: cdktf.stringToTerraform(this._project),
      region: cdktf.stringToTerraform(this._region),
      request_timeout: cdktf.stringToTerraform(this._requestTimeout),
      zone: cdktf.stringToTerraform(this._zone),
      alias: cdktf.stringToTerraform(this._alias),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      access_token: {
        value: cdktf.stringToHclTerraform(this._accessToken),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      cloud_ids_custom_endpoint: {
        value: cdktf.stringToHclTerraform(this._cloudIdsCustomEndpoint),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      credentials: {
        value: cdktf.stringToHclTerraform(this._credentials),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      poll_interval: {
        value: cdktf.stringToHclTerraform(this._pollInterval),
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
      region: {
        value: cdktf.stringToHclTerraform(this._region),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      request_timeout: {
        value: cdktf.stringToHclTerraform(this._requestTimeout),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      zone: {
        value: cdktf.stringToHclTerraform(this._zone),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      alias: {
        value: cdktf.stringToHclTerraform(this._alias),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
