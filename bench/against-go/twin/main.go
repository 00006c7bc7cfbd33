// The ids provider, written once more with HashiCorp's framework for Go: the same schema, rules and
// requests, to compare what the two frameworks cost. It is built and measured by
// `npm run bench -- --against-go`, and is not part of the package.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	options := providerserver.ServeOpts{Address: "trivet.local/peer/ids-twin"}
	if err := providerserver.Serve(context.Background(), newProvider, options); err != nil {
		log.Fatal(err)
	}
}

type twin struct{}

// settings has all settings of the original, of which only some have an effect.
type settings struct {
	Project                            types.String `tfsdk:"project"`
	Region                             types.String `tfsdk:"region"`
	Zone                               types.String `tfsdk:"zone"`
	Credentials                        types.String `tfsdk:"credentials"`
	AccessToken                        types.String `tfsdk:"access_token"`
	ImpersonateServiceAccount          types.String `tfsdk:"impersonate_service_account"`
	ImpersonateServiceAccountDelegates types.List   `tfsdk:"impersonate_service_account_delegates"`
	UserProjectOverride                types.Bool   `tfsdk:"user_project_override"`
	BillingProject                     types.String `tfsdk:"billing_project"`
	RequestReason                      types.String `tfsdk:"request_reason"`
	RequestTimeout                     types.String `tfsdk:"request_timeout"`
	PollInterval                       types.String `tfsdk:"poll_interval"`
	UniverseDomain                     types.String `tfsdk:"universe_domain"`
	BaseURL                            types.String `tfsdk:"cloud_ids_custom_endpoint"`
	IAMCredentialsCustomEndpoint       types.String `tfsdk:"iam_credentials_custom_endpoint"`
	ExternalCredentials                types.List   `tfsdk:"external_credentials"`
}

func newProvider() provider.Provider { return twin{} }

func (twin) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "ids"
}

func (twin) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	text := schema.StringAttribute{Optional: true}
	secret := schema.StringAttribute{Optional: true, Sensitive: true}
	response.Schema = schema.Schema{
		Description: "Cloud intrusion detection endpoints.",
		Attributes: map[string]schema.Attribute{
			"project":                     text,
			"region":                      text,
			"zone":                        text,
			"credentials":                 secret,
			"access_token":                secret,
			"impersonate_service_account": text,
			"impersonate_service_account_delegates": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
			},
			"user_project_override":           schema.BoolAttribute{Optional: true},
			"billing_project":                 text,
			"request_reason":                  text,
			"request_timeout":                 text,
			"poll_interval":                   text,
			"universe_domain":                 text,
			"cloud_ids_custom_endpoint":       text,
			"iam_credentials_custom_endpoint": text,
		},
		Blocks: map[string]schema.Block{
			"external_credentials": schema.ListNestedBlock{
				NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
					"audience":              text,
					"service_account_email": text,
					"identity_token":        secret,
				}},
			},
		},
	}
}

func (twin) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var given settings
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	if response.Diagnostics.HasError() {
		return
	}
	baseURL := given.BaseURL.ValueString()
	if baseURL == "" {
		baseURL = "https://ids.googleapis.com/v1/"
	}
	response.ResourceData = &service{
		project: given.Project.ValueString(),
		zone:    given.Zone.ValueString(),
		baseURL: baseURL,
		token:   given.AccessToken.ValueString(),
	}
}

func (twin) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newEndpoint}
}

func (twin) DataSources(context.Context) []func() datasource.DataSource { return nil }
