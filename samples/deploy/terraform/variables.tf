variable "application_role_name" {
  description = "Name of the application's IAM role: the ECS task role, or the role of the Kubernetes service account."
  type        = string
}

variable "statements" {
  description = "The Sids of the statements of ../iam-policy.json that the application needs; see docs/aws-setup.md."
  type        = list(string)
  default     = ["Locks", "TableCheck"]
}

variable "eks_cluster_name" {
  description = "Name of the EKS cluster whose service account orders gets the role. Leave it out without EKS."
  type        = string
  default     = null
}

variable "ecs_log_group_name" {
  description = "Name of the log group of the ECS task definition, such as /ecs/orders. Leave it out without ECS."
  type        = string
  default     = null
}
