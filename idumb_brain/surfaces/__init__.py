"""Ways in from outside. They translate, and never think."""
