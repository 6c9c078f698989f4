import { openAiBaseUrl, openRouterBaseUrl, webOrigin } from '../base/base-url'
import type { StoredSettings } from '../stored/settings-file'
import { localServerAt } from './local-servers'

/**
 * Returns true where messages may go to an address without approval: it is built in, one of the usual local servers,
 * a provider that a person added, or at the origin of the address in use.
 *
 * @param inUse base URLs that files, variables or settings name now
 */
export function isKnownAddress(
  baseUrl: string,
  { providers = [] }: Pick<StoredSettings, 'providers'>,
  inUse: readonly string[],
): boolean {
  if (localServerAt(baseUrl) !== undefined) return true
  const origin = webOrigin(baseUrl)
  const known = [openRouterBaseUrl, openAiBaseUrl, ...providers.map((one) => one.baseUrl), ...inUse]
  return origin !== undefined && known.some((one) => webOrigin(one) === origin)
}
