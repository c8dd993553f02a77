"""The panel and the overlay, drawn with Dear ImGui. Only the desktop window imports these modules."""
