import type { HomeConfig } from './home-config'
import { effectiveValues, type LayerSources, settingLayers } from './layers'

/** When a context's active partition is archived, and what with it. */
export interface StoragePolicy {
  readonly maxEntries: number
  readonly maxAgeSeconds: number
  readonly maxTokens: number
  readonly bytesPerToken: number
  readonly bloomFilters: boolean
}

/** The policy of a context: local.toml over config.toml over the defaults, value by value. */
export function storagePolicy(sources: Pick<LayerSources, 'config' | 'local'>): StoragePolicy {
  const used = effectiveValues(settingLayers(sources))
  return {
    maxEntries: used['storage.partition_max_entries'].value,
    maxAgeSeconds: used['storage.partition_max_age_seconds'].value,
    maxTokens: used['storage.partition_max_tokens'].value,
    bytesPerToken: used['storage.bytes_per_token'].value,
    bloomFilters: used['storage.enable_bloom_filters'].value,
  }
}

/** How often a held lock is renewed; of the home as a whole, since every program must agree on when one is stale. */
export function lockHeartbeatSeconds(config: HomeConfig): number {
  return effectiveValues(settingLayers({ config })).lock_heartbeat_seconds.value
}
