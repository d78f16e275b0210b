"""The system of the reference is one."""

import re
from pathlib import Path

from small_lab import SmallLab

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "system.md"


def test_the_documented_system_is_read(lab: SmallLab) -> None:
    (text,) = re.findall(r"^```yaml\n(system: .*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    lab.write("systems/shop/system.yaml", text)
    system = lab.catalogue.system("shop")
    assert [each.service for each in system.services] == ["users", "prices", "gateway"]
    assert system.bench_services == ("prices",)
    assert system.legs == ("client", "lookup", "ask", "upstream")
    assert system.chosen({}) == {
        "strategy": "sequential",
        "price-delay": "0",
        "users-instances": "1",
    }
    assert system.recorded == ("users", "prices")
