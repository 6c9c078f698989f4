import type { HomeConfig } from './home-config'

/** When a context's active partition is archived, and what with it. */
export interface StoragePolicy {
  readonly maxEntries: number
  readonly maxAgeSeconds: number
  readonly maxTokens: number
  readonly bytesPerToken: number
  readonly bloomFilters: boolean
}

/** chibi's defaults (0.9). */
const defaults: StoragePolicy = {
  maxEntries: 1000,
  maxAgeSeconds: 30 * 24 * 3600,
  maxTokens: 100_000,
  bytesPerToken: 3,
  bloomFilters: true,
}

// chibi's default. A lock is stale at one and a half times this.
const defaultHeartbeatSeconds = 30

/** The policy of a context: local.toml over config.toml over the defaults, value by value. */
export function storagePolicy(config: HomeConfig, local?: HomeConfig): StoragePolicy {
  const value = <K extends keyof StoragePolicy>(key: K): StoragePolicy[K] => {
    const found = local?.storage[key] ?? config.storage[key]
    // A cast because the compiler does not relate the two records' types through K; both name the same keys.
    return (found?.value ?? defaults[key]) as StoragePolicy[K]
  }
  return {
    maxEntries: value('maxEntries'),
    maxAgeSeconds: value('maxAgeSeconds'),
    maxTokens: value('maxTokens'),
    bytesPerToken: value('bytesPerToken'),
    bloomFilters: value('bloomFilters'),
  }
}

/** How often a held lock is renewed; of the home as a whole, since every program must agree on when one is stale. */
export function lockHeartbeatSeconds(config: HomeConfig): number {
  return config.lockHeartbeatSeconds?.value ?? defaultHeartbeatSeconds
}
