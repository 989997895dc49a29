"""Long runs under faults: customers order while processes die and servers go away; then an audit."""
