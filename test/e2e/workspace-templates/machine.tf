# Virtual machines in two clouds: instance identities, an external login, tags, and no container.

terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

provider "workspace" {
  url = "https://dev.example.com:8443"
}

variable "zones" {
  type = map(string)
  default = {
    "eu-west-1a" = "Ireland"
    "us-east-1b" = "Virginia"
  }
}

data "workspace_workspace" "me" {}
data "workspace_workspace_owner" "me" {}

data "workspace_external_auth" "code" {
  id       = "code-host"
  optional = true
}

data "workspace_parameter" "zone" {
  name      = "zone"
  form_type = "dropdown"
  default   = keys(var.zones)[0]

  dynamic "option" {
    for_each = var.zones
    content {
      name  = option.value
      value = option.key
    }
  }
}

data "workspace_parameter" "disk" {
  name    = "disk"
  type    = "number"
  default = 50
  mutable = true
  option {
    name  = "Small"
    value = 50
  }
  option {
    name  = "Large"
    value = 200
  }
}

data "workspace_workspace_tags" "runner" {
  tags = {
    "cluster" = "machines"
    "zone"    = data.workspace_parameter.zone.value
  }
}

locals {
  linux_user = lower(substr(data.workspace_workspace_owner.me.name, 0, 32))
  is_admin   = contains([for role in data.workspace_workspace_owner.me.rbac_roles : role.name], "owner")
  groups     = join(",", data.workspace_workspace_owner.me.groups)
}

resource "workspace_agent" "linux" {
  os              = "linux"
  arch            = "amd64"
  auth            = "cloudB-instance-identity"
  api_key_scope   = "no_user_data"
  shutdown_script = "sync"
  motd_file       = "/etc/motd"
  dir             = "~"
}

resource "workspace_agent" "windows" {
  os                  = "windows"
  arch                = "amd64"
  auth                = "cloudA-instance-identity"
  troubleshooting_url = "https://help.example.com/windows?from=agent"

  display_apps {}
}

resource "workspace_app" "desktop" {
  agent_id  = workspace_agent.windows.id
  slug      = "desktop"
  url       = "http://localhost:6901"
  icon      = "/icon/desktop.svg"
  subdomain = true
  open_in   = "tab"
  share     = "authenticated"
  tooltip   = "Needs a **modern** browser"
  order     = 2
}

resource "workspace_app" "handbook" {
  agent_id = workspace_agent.linux.id
  slug     = "handbook"
  url      = "https://handbook.example.com/${local.groups}"
  external = true
  hidden   = !local.is_admin
}

resource "workspace_env" "path" {
  agent_id       = workspace_agent.linux.id
  name           = "PATH"
  value          = "/opt/tools/bin"
  merge_strategy = "prepend"
}

resource "workspace_script" "tidy" {
  agent_id     = workspace_agent.linux.id
  display_name = "Tidy up"
  script       = "tmpreaper 7d /tmp"
  cron         = "0 30 3 * * *"
  timeout      = 600
  log_path     = "tidy.log"
}

resource "workspace_script" "leave" {
  agent_id     = workspace_agent.windows.id
  display_name = "Leave"
  script       = "logoff"
  run_on_stop  = true
}

resource "terraform_data" "linux" {
  input = {
    zone = data.workspace_parameter.zone.value
    disk = data.workspace_parameter.disk.value
    user = local.linux_user
    boot = workspace_agent.linux.init_script
    git  = data.workspace_external_auth.code.access_token
    on   = data.workspace_workspace.me.transition == "start"
  }
}

resource "terraform_data" "windows" {
  count = data.workspace_workspace.me.start_count
  input = {
    boot = workspace_agent.windows.init_script
    url  = data.workspace_workspace.me.access_url
    port = data.workspace_workspace.me.access_port
  }
}

resource "workspace_agent_instance" "linux" {
  agent_id    = workspace_agent.linux.id
  instance_id = terraform_data.linux.id
}

resource "workspace_agent_instance" "windows" {
  count       = data.workspace_workspace.me.start_count
  agent_id    = workspace_agent.windows.id
  instance_id = terraform_data.windows[0].id
}

resource "workspace_metadata" "linux" {
  resource_id = terraform_data.linux.id
  hide        = false

  item {
    key   = "zone"
    value = var.zones[data.workspace_parameter.zone.value]
  }
  item {
    key       = "user"
    value     = local.linux_user
    sensitive = true
  }
  item {
    key = "note"
  }
}
