/* Probes in a C program: HTTP/1.1 over a bare socket; the file's lines are looked through for their beginnings. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char host[64], path[512], session[128];
static int port;

static int settings(void) {
    char line[1024];
    FILE *file = fopen(".dbg/login-timeout.env", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "DEBUG_SERVER_URL=", 17)) sscanf(line + 17, "http://%63[^:]:%d%511s", host, &port, path);
        if (!strncmp(line, "DEBUG_SESSION_ID=", 17)) snprintf(session, sizeof session, "%s", line + 17);
    }
    fclose(file);
    return port;
}

static void probe(const char *body) {
    char request[4096], answer[1024];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int status = 0, got, all = 0, fd = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, host, &address.sin_addr);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) return;
    int length = snprintf(request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
        path, host, port, strlen(body), body);
    send(fd, request, length, 0);
    while ((got = recv(fd, answer + all, sizeof answer - 1 - all, 0)) > 0) all += got;
    answer[all] = 0;
    close(fd);
    sscanf(answer, "HTTP/1.1 %d", &status);
    printf("%d\n", status);
}

int main(void) {
    char body[2048];
    if (!settings()) return 1;
    snprintf(body, sizeof body,
        "{\"sessionId\":\"%s\",\"runId\":\"pre\",\"hypothesisId\":\"C\",\"location\":\"login.c:31\",\"msg\":\"[DEBUG] login\","
        "\"data\":{\"text\":\"\\\"quoted\\\" back\\\\slash Ünïcödé 日本語 🐞\",\"pointer\":\"%p\"},\"ts\":1766000000000}",
        session, (void *)0x1000);
    probe(body);
    probe("{\"msg\":\"done\"}");
    return 0;
}
