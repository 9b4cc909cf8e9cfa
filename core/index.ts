/** The entry point for authors of plugins. */
export { inject, injectable, type Constructor } from "./container/inject.ts";
export {
  config,
  optional,
  ownConfig,
  port,
  token,
  type OptionalPort,
  type Token,
} from "./container/token.ts";
export type { CoreCode } from "./errors/codes.ts";
export { KnownSecrets, withoutSignedTokens } from "./errors/known-secrets.ts";
export { SkillError, type SkillErrorOptions } from "./errors/skill-error.ts";
/**
 * For built-in skills only: not in the shipped types.
 * @internal
 */
export {
  GIT_MS,
  gitFailure,
  gitOnPath,
  makeRepository,
  requiredGit,
  zeroSeparated,
  type Git,
  type GitRun,
  type ObjectFormat,
} from "./git/git.ts";
/** @internal */
export { ProjectRepository } from "./git/project-repository.ts";
export { inertMarkdown } from "./inert-markdown.ts";
/** @internal */
export { storeIn, systemKeyRing, type KeyRing } from "./key-ring.ts";
export { isLoopbackAddress, isLoopbackOrigin } from "./loopback.ts";
export { nearest } from "./nearest.ts";
export {
  definePlugin,
  type Call,
  type Choice,
  type ChoiceOption,
  type CommandHandler,
  type Decision,
  type GuardEvent,
  type McpClient,
  type Person,
  type Plugin,
  type PluginContract,
  type RawBody,
  type RouteHandler,
  type RouteReply,
  type RouteRequest,
  type RuleHandler,
  type Subject,
  type SurfaceName,
  type Verdict,
  type Wiring,
} from "./plugin.ts";
export { CLAIMS, type Claim, type Claims } from "./ports/claim.ts";
export { CLOCK, type Clock } from "./ports/clock.ts";
export { ENVIRONMENT, type Environment, type NetworkAddress } from "./ports/environment.ts";
export { FILES, type FileFacts, type FileMark, type Files, type SurveyEntry } from "./ports/files.ts";
export { HTTP, type Http, type HttpRequest, type HttpResponse } from "./ports/http.ts";
export {
  JOURNALS,
  type Durability,
  type Journal,
  type JournalLoss,
  type JournalOptions,
  type JournalReader,
  type Journals,
} from "./ports/journal.ts";
export { LOG, type Log } from "./ports/log.ts";
export { PHASES, type PhaseChange, type Phases } from "./ports/phases.ts";
export {
  PROGRAMS,
  type BackgroundProgram,
  type BackgroundRun,
  type ProgramEnd,
  type ProgramRun,
  type Programs,
} from "./ports/programs.ts";
export { comparable, languageOf, simplified, type Language } from "./text/chinese.ts";
export { quotedName } from "./quoted-name.ts";
export {
  SERVER,
  type OpenServer,
  type Server,
  type ServerOptions,
  type ServerProblem,
} from "./ports/server.ts";
export { STATE, type DocumentName, type State } from "./ports/state.ts";
