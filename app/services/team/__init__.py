"""Teams: the members of an organization, their invitations, and what each of them did."""
