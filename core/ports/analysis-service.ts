import { portToken } from "../container/token.ts";
import type { Http } from "./http.ts";

/** Where an analysis service answers, and the token it takes. */
export interface AnalysisEndpoint {
  /** Origin only, e.g. `http://music-gateway.localhost`. */
  readonly baseUrl: string;
  /** Takes the requests to this origin instead of the network: the service answers in this process. */
  readonly http?: Http;
  /** Held in memory, valid for this endpoint only. */
  readonly token: string;
  /** Names the data that it answers from: another name, other songs. */
  readonly account: string;
  /** One line for the person: who answers, from which data, and how to use one's own. */
  readonly notice: string;
}

/** Lent by a skill that can answer the analysis contract itself. */
export interface AnalysisService {
  /** Starts it on first use; the same endpoint until the host closes. */
  readonly endpoint: () => Promise<AnalysisEndpoint>;
  /**
   * The figures of its answer to a question as an SVG picture, of the account or of these songs; undefined when the answer
   * has none. Missing where it draws nothing.
   */
  readonly picture?: (question: string, songIds: readonly number[]) => Promise<string | undefined>;
}

export const ANALYSIS_SERVICE = portToken<AnalysisService>("analysis-service");
