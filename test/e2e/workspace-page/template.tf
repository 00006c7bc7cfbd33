# A template with every form type, and with everything that the page shows about a workspace.

data "workspace_workspace" "me" {}
data "workspace_workspace_owner" "me" {}

data "workspace_external_auth" "code" {
  id       = "code-host"
  optional = true
}

data "workspace_secret" "registry" {
  env          = "REGISTRY_PASSWORD"
  help_message = "Store the password of the registry under *Account › Secrets*."
}

data "workspace_parameter" "toolchain" {
  name         = "toolchain"
  display_name = "Toolchain"
  description  = "What is installed on the machine. See [the images](https://example.com/images)."
  icon         = "/icon/docker.svg"
  form_type    = "dropdown"
  default      = "go"
  mutable      = true
  order        = 1

  option {
    name        = "Go"
    value       = "go"
    description = "Go 1.26 with **gopls**"
    icon        = "/icon/go.svg"
  }
  option {
    name        = "TypeScript"
    value       = "ts"
    description = "Node.js 24"
    icon        = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' rx='2' fill='%233178c6'/%3E%3C/svg%3E"
  }
}

data "workspace_parameter" "region" {
  name         = "region"
  display_name = "Region"
  description  = "Where the machine runs. It cannot move later."
  default      = "eu"
  order        = 2

  option {
    name  = "Europe"
    value = "eu"
  }
  option {
    name  = "America"
    value = "us"
  }
}

data "workspace_parameter" "cores" {
  name         = "cores"
  display_name = "Cores"
  type         = "number"
  form_type    = "slider"
  default      = 4
  mutable      = true
  order        = 3

  validation {
    min = 2
    max = 32
  }
}

data "workspace_parameter" "gpu" {
  name         = "gpu"
  display_name = "GPU"
  type         = "bool"
  form_type    = "switch"
  default      = false
  mutable      = true
  order        = 4
}

data "workspace_parameter" "gpu_model" {
  count        = data.workspace_parameter.gpu.value == "true" ? 1 : 0
  name         = "gpu_model"
  display_name = "GPU model"
  default      = "small"
  mutable      = true
  order        = 5
}

data "workspace_parameter" "branch" {
  name         = "branch"
  display_name = "Branch"
  description  = "Checked out at the first start, such as `main`."
  mutable      = true
  order        = 6

  validation {
    regex = "^[a-z][a-z0-9/-]*$"
    error = "Use lower-case letters, digits, slashes and hyphens, not {value}"
  }
}

data "workspace_parameter" "disk" {
  name         = "disk"
  display_name = "Disk (GiB)"
  type         = "number"
  default      = 50
  mutable      = true
  order        = 7

  validation {
    min       = 10
    monotonic = "increasing"
  }
}

data "workspace_parameter" "editors" {
  name         = "editors"
  display_name = "Editors"
  type         = "list(string)"
  form_type    = "multi-select"
  default      = jsonencode(["code"])
  mutable      = true
  order        = 8

  option {
    name  = "Desktop editor"
    value = "code"
  }
  option {
    name  = "Notebook"
    value = "notebook"
  }
}

data "workspace_parameter" "packages" {
  name         = "packages"
  display_name = "Packages"
  description  = "Installed at each start."
  type         = "list(string)"
  form_type    = "tag-select"
  default      = jsonencode(["git"])
  mutable      = true
  order        = 9
}

data "workspace_parameter" "notes" {
  name         = "notes"
  display_name = "Notes"
  description  = <<-EOT
    ### What to write

    Others read it before they *change* anything:

    - the **purpose** of the machine
    - whom to ask, such as <ada@example.com>

    | Label   | Meaning            |
    | :------ | -----------------: |
    | `wip`   | not finished       |
    | `stale` | may be ~~deleted~~ |

    ```sh
    echo "kept in ~/notes"
    ```

    ![How notes are used](https://other.example/notes.png)
  EOT
  form_type    = "textarea"
  default      = ""
  mutable      = true
  order        = 10
  styling      = jsonencode({ placeholder = "What others should know" })
}

data "workspace_parameter" "license" {
  name         = "license"
  display_name = "Licence key"
  default      = "none"
  mutable      = true
  order        = 11
  styling      = jsonencode({ mask_input = true })
}

data "workspace_parameter" "clean" {
  name         = "clean"
  display_name = "Empty the cache"
  type         = "bool"
  form_type    = "checkbox"
  default      = false
  mutable      = true
  ephemeral    = true
  order        = 12
}

data "workspace_workspace_preset" "large" {
  name        = "Large"
  description = "For tests of the whole system"
  parameters = {
    region = "us"
    cores  = 16
    branch = "main"
  }
  prebuilds {
    instances = 2
  }
}

data "workspace_workspace_tags" "provisioner" {
  tags = {
    zone = data.workspace_parameter.region.value
    kind = "container"
  }
}

resource "workspace_agent" "main" {
  os             = "linux"
  arch           = "amd64"
  dir            = "/home/dev/project"
  startup_script = "touch ~/ready"
  env = {
    GIT_AUTHOR_NAME = data.workspace_workspace_owner.me.full_name
    LICENSE         = "key ${data.workspace_parameter.license.value}"
  }
  metadata {
    key          = "load"
    display_name = "Load"
    script       = "cat /proc/loadavg"
    interval     = 10
  }
}

resource "workspace_app" "web" {
  agent_id     = workspace_agent.main.id
  slug         = "web"
  display_name = "Web preview"
  icon         = "/icon/globe.svg"
  url          = "http://localhost:8080"
  tooltip      = "Restarts when **files** change"
  share        = "authenticated"
  order        = 1
}

resource "workspace_app" "editor" {
  agent_id     = workspace_agent.main.id
  slug         = "editor"
  display_name = "Desktop editor"
  icon         = "/icon/code.svg"
  url          = "vscode://example/open?folder=/home/dev/project"
  external     = true
  order        = 2
}

resource "workspace_app" "top" {
  agent_id     = workspace_agent.main.id
  slug         = "top"
  display_name = "Processes"
  command      = "htop"
  order        = 3
}

resource "workspace_env" "registry" {
  agent_id = workspace_agent.main.id
  name     = "REGISTRY_PASSWORD"
  value    = data.workspace_secret.registry.value
}

resource "workspace_script" "packages" {
  agent_id           = workspace_agent.main.id
  display_name       = "Install packages"
  script             = "apt-get install -y ${join(" ", jsondecode(data.workspace_parameter.packages.value))}"
  run_on_start       = true
  start_blocks_login = true
  timeout            = 600
}

resource "workspace_script" "backup" {
  agent_id     = workspace_agent.main.id
  display_name = "Back up"
  script       = "rsync -a ~ /backup"
  cron         = "0 0 22 * * *"
  run_on_stop  = true
}

check "license" {
  assert {
    condition     = data.workspace_parameter.license.value == "none"
    error_message = "Nobody has checked the licence ${data.workspace_parameter.license.value}."
  }
}

resource "terraform_data" "home" {
  input = data.workspace_parameter.disk.value
}

resource "terraform_data" "machine" {
  count = data.workspace_workspace.me.start_count
  input = {
    boot      = sha256(workspace_agent.main.token)
    toolchain = data.workspace_parameter.toolchain.value
    region    = data.workspace_parameter.region.value
    cores     = data.workspace_parameter.cores.value
    gpu       = join("", data.workspace_parameter.gpu_model[*].value)
    branch    = data.workspace_parameter.branch.value
    editors   = data.workspace_parameter.editors.value
    packages  = data.workspace_parameter.packages.value
    notes     = data.workspace_parameter.notes.value
    license   = data.workspace_parameter.license.value
    clean     = data.workspace_parameter.clean.value
  }
}

resource "workspace_metadata" "home" {
  resource_id = terraform_data.home.id
  daily_cost  = 3
  item {
    key   = "Size"
    value = "${data.workspace_parameter.disk.value} GiB"
  }
}

resource "workspace_metadata" "machine" {
  count       = data.workspace_workspace.me.start_count
  resource_id = terraform_data.machine[0].id
  daily_cost  = 12
  icon        = "/icon/docker.svg"
  item {
    key   = "Image"
    value = "[dev/${data.workspace_parameter.toolchain.value}](https://registry.example.com/dev)"
  }
  item {
    key       = "Console password"
    value     = "console-password"
    sensitive = true
  }
}
