/** The code for answers, loaded on demand while DuckDB opens the file. */
export { answerQuery, answerTo } from "./answer.ts";
export { pictureOf } from "./answer-picture.ts";
export { absentFrom } from "./held.ts";
export { reportOf, reportPeriod } from "./report.ts";
