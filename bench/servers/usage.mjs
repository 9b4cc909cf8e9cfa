/** Tells the parent where the server is; answers `usage`, and ends with `close`. */
export function answerUsage(url, close) {
  process.on("message", (message) => {
    if (message === "usage") {
      const { user, system } = process.cpuUsage();
      process.send({ cpuMicroseconds: user + system, peakKilobytes: process.resourceUsage().maxRSS });
    }
    if (message === "close") {
      close().then(() => process.disconnect());
    }
  });
  process.send({ url });
}
