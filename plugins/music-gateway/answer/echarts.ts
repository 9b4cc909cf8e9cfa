/** The parts of ECharts that pictures need. The build bundles them into one file, loaded when a picture is drawn. */
import { BarChart, LineChart } from "echarts/charts";
import { GridSimpleComponent, LegendPlainComponent, TitleComponent } from "echarts/components";
import { format, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, LineChart, GridSimpleComponent, LegendPlainComponent, TitleComponent, SVGRenderer]);

export { init };
export const { encodeHTML } = format;
