/** The entry point for tests: a host on temporary folders, simple ports, and the contract tests of any skill. */
export { createTestHost, type TestHost, type TestHostOptions } from "./testing/test-host.ts";
export { fixedClock, type FixedClock } from "./testing/fixed-clock.ts";
export { memoryLog, type MemoryLog } from "./testing/memory-log.ts";
export { testEnvironment } from "./testing/test-environment.ts";
export { scriptedHttp, type ScriptedHttp } from "./testing/scripted-http.ts";
export {
  contractCases,
  contractTests,
  type CaseKind,
  type ContractCase,
  type ContractTestOptions,
} from "./testing/contract-tests.ts";
export { derive, names, type Acceptance, type DerivedValues, type Refusal } from "./testing/derive.ts";
