/**
 * none (default): a cassette must exist. once: record those that do not, with the real plugin. all: record all
 * again. Default of all tests: the environment variable MIDWIRE_RECORD.
 */
export type RecordMode = 'none' | 'once' | 'all';

/** A session differed. `message` is the report of midwire. */
export class MidwireError extends Error {}

export interface ReplayOptions {
  /** More options of `midwire replay`, such as `--ignore=/result/pid`. */
  args?: string[];
  /** With `all`, what the plugin sends now becomes the recorded answers (`--update`). */
  record?: RecordMode;
}

export interface MockOptions {
  /** More options of `midwire mock`. */
  args?: string[];
  record?: RecordMode;
  /** The real plugin as a list of words; what is recorded in the modes `once` and `all`. */
  plugin?: string[];
}

/** The path of the midwire command: $MIDWIRE, or that of this package. */
export function command(): string;

/**
 * Plays the host of the cassette to the plugin, a list of words, and returns the report.
 * Rejects with MidwireError if the plugin sends something else than recorded.
 */
export function replay(cassette: string, plugin: string[], options?: ReplayOptions): Promise<string>;

/**
 * Calls `host` with the words to start in place of the plugin, and returns what it returns. When it resolves, the
 * host must have ended its plugin. Rejects with MidwireError if the host differed from the recording.
 */
export function mock<T>(
  cassette: string,
  host: (words: string[]) => T | Promise<T>,
  options?: MockOptions,
): Promise<T>;
