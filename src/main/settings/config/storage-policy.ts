import type { HomeConfig } from './home-config'
import { effectiveValues, type LayerSources, settingLayers } from './layers'

/** The limits at which a context's active partition is archived, and whether a filter is written with it. */
export interface StoragePolicy {
  readonly maxEntries: number
  readonly maxAgeSeconds: number
  readonly maxTokens: number
  readonly bytesPerToken: number
  readonly bloomFilters: boolean
}

/** Returns the policy of a context: local.toml before config.toml before the defaults, value by value. */
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

/**
 * Returns the seconds after which a held lock is renewed; one value for the whole home, since every program must
 * agree on when a lock is stale.
 */
export function lockHeartbeatSeconds(config: HomeConfig): number {
  return effectiveValues(settingLayers({ config })).lock_heartbeat_seconds.value
}
