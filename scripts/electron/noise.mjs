/**
 * Chromium's own words, and ALSA's, about a machine without a session bus, a graphics or a sound card, about a cache that
 * another Chromium left when it was killed, and about a window that is gone before its last frame is shown. They are true, change nothing for anybody, and hide what matters.
 */
const noise =
  /^ALSA lib |:(ERROR|WARNING):[\w/]*\b(bus|object_proxy|viz_main_impl|command_buffer_proxy_impl|gpu_process_host|gpu_memory_buffer_support_x11|gl_surface_\w+|gl_display|angle_platform_impl|vaapi_wrapper|sandbox_linux|alsa_util|atom_cache|cursor_loader|simple_file_enumerator|x11_software_bitmap_presenter)\.cc/

/**
 * Whether a line of Electron's stderr is worth showing.
 * @param {string} line
 */
export function isWorthShowing(line) {
  return line.trim() !== '' && !noise.test(line)
}

/**
 * What to do about a line of Electron's that says so to nobody but its makers; undefined for any other.
 * @param {string} line
 * @param {string} folder the runtime's
 */
export function adviceOn(line, folder) {
  if (!/SUID sandbox helper binary was found, but is not configured|No usable sandbox!/.test(line))
    return undefined
  const helper = `${folder}/chrome-sandbox`
  return `This system lets ordinary users make no namespaces, which Chromium's sandbox needs. Give it its helper, then start again:\n  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`
}

/**
 * Passes a stream's lines on to our stderr, without the noise, and with advice where there is some.
 * @param {NodeJS.ReadableStream} stream
 * @param {string} folder the runtime's
 */
export function showQuietly(stream, folder) {
  eachLine(stream, (line) => {
    if (isWorthShowing(line)) process.stderr.write(`${adviceOn(line, folder) ?? line}\n`)
  })
}

/**
 * Tells a stream's lines one after the other, each when it is whole: some writers write one in pieces.
 * @param {NodeJS.ReadableStream} stream
 * @param {(line: string) => void} hear
 */
export function eachLine(stream, hear) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(hear)
  })
  stream.on('end', () => hear(rest))
}
