/** SQLite's WebAssembly as a data URL: the bundle has it in one piece. */
declare module '*?url&inline' {
  const url: string
  // biome-ignore lint/style/noDefaultExport: what the bundler gives for such an import is one
  export default url
}
