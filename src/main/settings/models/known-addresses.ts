import { openAiBaseUrl, openRouterBaseUrl, webOrigin } from '../base/base-url'
import type { StoredSettings } from '../stored/settings-file'
import { localServerAt } from './local-servers'

/**
 * Whether words may go to an address without a person being asked: it is built in, one of the servers that people run on
 * their own machine, a provider that was added, or at the origin of the address in use.
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
