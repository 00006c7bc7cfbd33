package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type endpoint struct {
	service *service
}

type endpointState struct {
	EndpointID             types.String `tfsdk:"endpoint_id"`
	Location               types.String `tfsdk:"location"`
	Project                types.String `tfsdk:"project"`
	Network                types.String `tfsdk:"network"`
	Severity               types.String `tfsdk:"severity"`
	Description            types.String `tfsdk:"description"`
	Labels                 types.Map    `tfsdk:"labels"`
	RequestID              types.String `tfsdk:"request_id"`
	ThreatExceptions       types.List   `tfsdk:"threat_exceptions"`
	TrafficLogs            types.Bool   `tfsdk:"traffic_logs"`
	CreateTime             types.String `tfsdk:"create_time"`
	EndpointForwardingRule types.String `tfsdk:"endpoint_forwarding_rule"`
	EndpointIP             types.String `tfsdk:"endpoint_ip"`
	ID                     types.String `tfsdk:"id"`
	Name                   types.String `tfsdk:"name"`
	State                  types.String `tfsdk:"state"`
	UpdateTime             types.String `tfsdk:"update_time"`
	Timeouts               *timeouts    `tfsdk:"timeouts"`
}

type timeouts struct {
	Create types.String `tfsdk:"create"`
	Update types.String `tfsdk:"update"`
	Delete types.String `tfsdk:"delete"`
}

// endpointBody is an endpoint as the service stores it.
type endpointBody struct {
	Name                   string            `json:"name,omitempty"`
	Network                string            `json:"network,omitempty"`
	Severity               string            `json:"severity,omitempty"`
	Description            string            `json:"description,omitempty"`
	Labels                 map[string]string `json:"labels,omitempty"`
	ThreatExceptions       []string          `json:"threatExceptions,omitempty"`
	TrafficLogs            bool              `json:"trafficLogs,omitempty"`
	CreateTime             string            `json:"createTime,omitempty"`
	UpdateTime             string            `json:"updateTime,omitempty"`
	EndpointForwardingRule string            `json:"endpointForwardingRule,omitempty"`
	EndpointIP             string            `json:"endpointIp,omitempty"`
	State                  string            `json:"state,omitempty"`
}

var (
	endpointID = regexp.MustCompile(`^[a-z]([a-z\d-]{0,61}[a-z\d])?$`)
	segment    = regexp.MustCompile(`^[A-Za-z\d]([\w.:~-]*[A-Za-z\d])?$`)
	uuid       = regexp.MustCompile(`(?i)^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$`)
	severities = []string{"SEVERITY_UNSPECIFIED", "INFORMATIONAL", "LOW", "MEDIUM", "HIGH", "CRITICAL"}
)

func newEndpoint() resource.Resource { return &endpoint{} }

func (*endpoint) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_endpoint"
}

func (*endpoint) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	matches := func(pattern *regexp.Regexp, message string) []validator.String {
		return []validator.String{stringvalidator.RegexMatches(pattern, message)}
	}
	replace := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	place := []planmodifier.String{
		stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
	}
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	response.Schema = schema.Schema{
		Description: "An endpoint of the cloud intrusion detection service.",
		Attributes: map[string]schema.Attribute{
			"endpoint_id": schema.StringAttribute{
				Required:      true,
				PlanModifiers: replace,
				Validators:    matches(endpointID, "must be a valid ID of an endpoint"),
			},
			"location": schema.StringAttribute{
				Optional: true, Computed: true, PlanModifiers: place,
				Validators: matches(segment, "must be a segment of a name"),
			},
			"project": schema.StringAttribute{
				Optional: true, Computed: true, PlanModifiers: place,
				Validators: matches(segment, "must be a segment of a name"),
			},
			"network": schema.StringAttribute{Optional: true},
			"severity": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf(severities...)},
			},
			"description": schema.StringAttribute{Optional: true},
			"labels":      schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"request_id": schema.StringAttribute{
				Optional: true, Validators: matches(uuid, "must be a UUID"),
			},
			"threat_exceptions": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.List{listvalidator.SizeAtMost(99)},
			},
			"traffic_logs": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			},
			"create_time":              schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"endpoint_forwarding_rule": schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"endpoint_ip":              schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"id":                       schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"name":                     schema.StringAttribute{Computed: true, PlanModifiers: kept},
			"state":                    schema.StringAttribute{Computed: true},
			"update_time":              schema.StringAttribute{Computed: true},
		},
		Blocks: map[string]schema.Block{
			"timeouts": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"create": schema.StringAttribute{Optional: true},
				"update": schema.StringAttribute{Optional: true},
				"delete": schema.StringAttribute{Optional: true},
			}},
		},
	}
}

func (e *endpoint) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if found, ok := request.ProviderData.(*service); ok {
		e.service = found
	}
}

// ModifyPlan plans the place and the name of a new endpoint.
func (e *endpoint) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() || e.service == nil {
		return
	}
	var plan endpointState
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	if plan.Project.IsUnknown() {
		plan.Project = types.StringValue(e.service.project)
	}
	if plan.Location.IsUnknown() {
		plan.Location = types.StringValue(e.service.zone)
	}
	if !plan.EndpointID.IsUnknown() {
		plan.Name = types.StringValue(nameOf(plan))
		plan.ID = plan.Name
	}
	response.Diagnostics.Append(response.Plan.Set(ctx, plan)...)
}

func (e *endpoint) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan endpointState
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	query := url.Values{"endpointId": {plan.EndpointID.ValueString()}}
	path := nameOf(plan)
	parent := path[:strings.LastIndex(path, "/")]
	if err := e.service.run(ctx, http.MethodPost, parent, query, bodyOf(ctx, plan)); err != nil {
		response.Diagnostics.AddError("Creation Failed", err.Error())
		return
	}
	found, err := e.get(ctx, plan)
	if err != nil {
		response.Diagnostics.AddError("Creation Failed", err.Error())
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, withComputed(plan, found))...)
}

func (e *endpoint) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var state endpointState
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	found, err := e.get(ctx, state)
	if errors.Is(err, errNotFound) {
		response.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		response.Diagnostics.AddError("Reading Failed", err.Error())
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, withFields(ctx, state, found))...)
}

func (e *endpoint) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan endpointState
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	if response.Diagnostics.HasError() {
		return
	}
	query := url.Values{
		"updateMask": {"network,severity,description,labels,threatExceptions,trafficLogs"},
	}
	if err := e.service.run(ctx, http.MethodPatch, nameOf(plan), query, bodyOf(ctx, plan)); err != nil {
		response.Diagnostics.AddError("Update Failed", err.Error())
		return
	}
	found, err := e.get(ctx, plan)
	if err != nil {
		response.Diagnostics.AddError("Update Failed", err.Error())
		return
	}
	response.Diagnostics.Append(response.State.Set(ctx, withComputed(plan, found))...)
}

func (e *endpoint) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var state endpointState
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if response.Diagnostics.HasError() {
		return
	}
	err := e.service.run(ctx, http.MethodDelete, nameOf(state), nil, nil)
	if err != nil && !errors.Is(err, errNotFound) {
		response.Diagnostics.AddError("Deletion Failed", err.Error())
	}
}

func (e *endpoint) get(ctx context.Context, state endpointState) (endpointBody, error) {
	var found endpointBody
	err := e.service.call(ctx, http.MethodGet, nameOf(state), nil, nil, &found)
	return found, err
}

func nameOf(state endpointState) string {
	return fmt.Sprintf("projects/%s/locations/%s/endpoints/%s",
		state.Project.ValueString(), state.Location.ValueString(), state.EndpointID.ValueString())
}

func bodyOf(ctx context.Context, plan endpointState) endpointBody {
	body := endpointBody{
		Network:     plan.Network.ValueString(),
		Severity:    plan.Severity.ValueString(),
		Description: plan.Description.ValueString(),
		TrafficLogs: plan.TrafficLogs.ValueBool(),
	}
	plan.Labels.ElementsAs(ctx, &body.Labels, false)
	plan.ThreatExceptions.ElementsAs(ctx, &body.ThreatExceptions, false)
	return body
}

func withComputed(state endpointState, found endpointBody) endpointState {
	state.Name = types.StringValue(found.Name)
	state.ID = state.Name
	state.CreateTime = types.StringValue(found.CreateTime)
	state.UpdateTime = types.StringValue(found.UpdateTime)
	state.State = types.StringValue(found.State)
	state.EndpointIP = types.StringValue(found.EndpointIP)
	state.EndpointForwardingRule = types.StringValue(found.EndpointForwardingRule)
	return state
}

// withFields is the state with what the service stores. Empty values that the state does not have are left out.
func withFields(ctx context.Context, state endpointState, found endpointBody) endpointState {
	state = withComputed(state, found)
	state.Network = stringOr(state.Network, found.Network)
	state.Severity = stringOr(state.Severity, found.Severity)
	state.Description = stringOr(state.Description, found.Description)
	state.TrafficLogs = types.BoolValue(found.TrafficLogs)
	if len(found.Labels) > 0 || !state.Labels.IsNull() {
		state.Labels, _ = types.MapValueFrom(ctx, types.StringType, found.Labels)
	}
	if len(found.ThreatExceptions) > 0 || !state.ThreatExceptions.IsNull() {
		state.ThreatExceptions, _ = types.ListValueFrom(ctx, types.StringType, found.ThreatExceptions)
	}
	return state
}

func stringOr(prior types.String, found string) types.String {
	if found == "" && prior.IsNull() {
		return prior
	}
	return types.StringValue(found)
}
