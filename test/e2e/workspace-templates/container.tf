# A development container: the template that most teams start with.

terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

variable "registry" {
  description = "Where images come from"
  type        = string
  default     = "registry.example.com"
}

locals {
  home     = "/home/${data.workspace_workspace_owner.me.name}"
  slug     = lower("${data.workspace_workspace_owner.me.name}-${data.workspace_workspace.this.name}")
  services = jsondecode(data.workspace_parameter.services.value)
}

provider "workspace" {}

data "workspace_provisioner" "host" {}
data "workspace_workspace" "this" {}
data "workspace_workspace_owner" "me" {}

data "workspace_parameter" "image" {
  name         = "image"
  display_name = "Image"
  description  = "What the container starts with."
  icon         = "/icon/docker.svg"
  type         = "string"
  default      = "debian-12"
  order        = 1

  option {
    name  = "Debian"
    value = "debian-12"
    icon  = "/icon/debian.svg"
  }
  option {
    name        = "Ubuntu"
    value       = "ubuntu-24"
    description = "With longer support"
  }
}

data "workspace_parameter" "memory" {
  name      = "memory"
  type      = "number"
  default   = "4"
  mutable   = true
  form_type = "slider"

  validation {
    min       = 2
    max       = 32
    monotonic = "increasing"
    error     = "Between {min} and {max} GB, and not {value}."
  }
}

data "workspace_parameter" "repository" {
  name    = "repository"
  type    = "string"
  default = ""
  mutable = true

  validation {
    regex = "^(https://.+)?$"
    error = "Give an https URL or nothing."
  }
}

data "workspace_parameter" "services" {
  name    = "services"
  type    = "list(string)"
  default = jsonencode(["postgres", "redis"])
  mutable = true
}

data "workspace_parameter" "dotfiles" {
  name      = "dotfiles"
  type      = "bool"
  default   = false
  mutable   = true
  ephemeral = true
}

data "workspace_workspace_preset" "service" {
  name        = "Service"
  description = "What a back end needs"
  default     = true
  parameters = {
    (data.workspace_parameter.image.name)  = "ubuntu-24"
    (data.workspace_parameter.memory.name) = "8"
  }

  prebuilds {
    instances = 1
    expiration_policy {
      ttl = 86400
    }
    scheduling {
      timezone = "America/New_York"
      schedule {
        cron      = "* 8-18 * * 1-5"
        instances = 3
      }
      schedule {
        cron      = "* 9-12 * * 6"
        instances = 1
      }
    }
  }
}

resource "workspace_agent" "main" {
  os                      = "linux"
  arch                    = data.workspace_provisioner.host.arch
  startup_script_behavior = "blocking"
  startup_script          = <<-EOT
    set -e
    mkdir -p ${local.home}/src
    printf '%s\n' "100% ready" > "$${HOME}/.ready"
  EOT
  connection_timeout      = 300
  order                   = 1

  env = {
    GIT_AUTHOR_NAME  = coalesce(data.workspace_workspace_owner.me.full_name, data.workspace_workspace_owner.me.name)
    GIT_AUTHOR_EMAIL = data.workspace_workspace_owner.me.email
  }

  display_apps {
    editor          = true
    editor_insiders = false
    web_terminal    = true
    ssh_helper      = false
  }

  metadata {
    key          = "load"
    display_name = "Load"
    script       = "uptime | sed 's/.*: //'"
    interval     = 10
    timeout      = 1
    order        = 2
  }
  metadata {
    key      = "home"
    script   = <<EOT
      df -h ${local.home} | awk 'NR==2 {print $5}'
    EOT
    interval = 60
  }

  resources_monitoring {
    memory {
      enabled   = true
      threshold = 90
    }
    volume {
      path      = "/home"
      enabled   = true
      threshold = 80
    }
    volume {
      path      = "/var/lib"
      enabled   = false
      threshold = 50
    }
  }
}

resource "workspace_app" "editor" {
  agent_id     = workspace_agent.main.id
  slug         = "editor"
  display_name = "Editor in the browser"
  icon         = "/icon/code.svg"
  url          = "http://localhost:13337/?folder=${local.home}"
  subdomain    = false
  share        = "owner"

  healthcheck {
    url       = "http://localhost:13337/healthz"
    interval  = 5
    threshold = 6
  }
}

resource "workspace_app" "service" {
  for_each     = toset(local.services)
  agent_id     = workspace_agent.main.id
  slug         = each.key
  display_name = title(each.key)
  command      = "connect ${each.key}"
  group        = "Services"
}

resource "workspace_env" "repository" {
  count    = data.workspace_parameter.repository.value == "" ? 0 : 1
  agent_id = workspace_agent.main.id
  name     = "REPOSITORY"
  value    = data.workspace_parameter.repository.value
}

resource "workspace_script" "dotfiles" {
  agent_id           = workspace_agent.main.id
  display_name       = "Dotfiles"
  icon               = "/icon/dotfiles.svg"
  run_on_start       = true
  start_blocks_login = true
  script             = "apply-dotfiles --force=${data.workspace_parameter.dotfiles.value}"
}

resource "terraform_data" "home_volume" {
  input = "home-${data.workspace_workspace.this.id}"
  lifecycle {
    ignore_changes = all
  }
}

resource "terraform_data" "container" {
  count = data.workspace_workspace.this.start_count
  input = {
    name       = local.slug
    image      = "${var.registry}/${data.workspace_parameter.image.value}"
    memory     = data.workspace_parameter.memory.value * 1024
    entrypoint = ["sh", "-c", replace(workspace_agent.main.init_script, "/localhost|127\\.0\\.0\\.1/", "host.internal")]
    env        = ["AGENT_TOKEN=${workspace_agent.main.token}"]
    volume     = terraform_data.home_volume.output
  }
}

resource "workspace_metadata" "container" {
  count       = data.workspace_workspace.this.start_count
  resource_id = terraform_data.container[0].id
  daily_cost  = 12
  icon        = "/icon/container.svg"

  item {
    key   = "image"
    value = data.workspace_parameter.image.value
  }
  item {
    key       = "memory"
    value     = "${data.workspace_parameter.memory.value} GB"
    sensitive = false
  }
}
