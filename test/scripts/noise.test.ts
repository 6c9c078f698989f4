import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { adviceOn, eachLine, isWorthShowing } from '../../scripts/electron/noise.mjs'

it.each([
  '[10781:1128/012526.337272:ERROR:bus.cc(399)] Failed to connect to the bus: Failed to connect to socket',
  '[10781:1128/012526.337272:ERROR:dbus/bus.cc:408] Failed to connect to the bus',
  '[10811:1128/012527.409724:ERROR:viz_main_impl.cc(186)] Exiting GPU process due to errors during initialization',
  '[10895:1128/012528.798533:ERROR:command_buffer_proxy_impl.cc(128)] ContextResult::kTransientFailure',
  "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'",
  '[16676:1128/100213.599971:ERROR:alsa_util.cc(204)] PcmOpen: default,No such file or directory',
  '[16862:1129/192428.991956:ERROR:simple_file_enumerator.cc(58)] Could not get file info for /tmp/x/Cache/Cache_Data/5283edf90cf4ab50_0',
  '[25077:1130/134554.813726:ERROR:x11_software_bitmap_presenter.cc(142)] XGetWindowAttributes failed for window 2097174',
  '   ',
])('keeps back %j', (line) => {
  expect(isWorthShowing(line)).toBe(false)
})

it.each([
  'App threw an error during load',
  'Error: Cannot find module',
  '[10781:1128/012526.337272:FATAL:setuid_sandbox_host.cc(157)] The SUID sandbox helper binary was found',
  '[10781:1128/012526.337272:ERROR:ozone_platform_x11.cc(239)] Missing X server or $DISPLAY',
])('shows %j', (line) => {
  expect(isWorthShowing(line)).toBe(true)
})

it('says what to do where the system allows no sandbox', () => {
  const line =
    '[1:0101/000000.000000:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I am aborting now.'
  expect(adviceOn(line, '/opt/electron')).toContain('sudo chmod 4755 /opt/electron/chrome-sandbox')
  expect(adviceOn('Hello', '/opt/electron')).toBeUndefined()
})

it('hears a line when it is whole, however it was written', async () => {
  const stream = new PassThrough()
  const heard: string[] = []
  eachLine(stream, (line) => heard.push(line))
  for (const piece of ['ALSA lib x.c: ', 'cannot find card\nsecond', '\n', 'end'])
    stream.write(piece)
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  expect(heard).toEqual(['ALSA lib x.c: cannot find card', 'second', 'end'])
})
