data "aws_iam_role" "application" {
  name = var.application_role_name
}

# Gives the role to the pods of ../eks/deployment.yaml. The cluster needs the add-on eks-pod-identity-agent.
resource "aws_eks_pod_identity_association" "application" {
  count = var.eks_cluster_name == null ? 0 : 1

  cluster_name    = var.eks_cluster_name
  namespace       = "default"
  service_account = "orders"
  role_arn        = data.aws_iam_role.application.arn
}
