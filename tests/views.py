"""Random views, for property tests."""

from hypothesis import strategies as st

from ocean.settings import ViewSettings

views = st.builds(
    ViewSettings,
    heading=st.floats(0, 360),
    pitch=st.floats(-80, 80),
    altitude=st.floats(20, 1000),
    distance=st.floats(2, 10),
    x=st.floats(-1e4, 1e4),
    z=st.floats(-1e4, 1e4),
)
