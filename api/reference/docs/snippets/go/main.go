// Sign a request and send it: go run . OPERATION BODY [IDEMPOTENCY_KEY]
// Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func signature(text string) string {
	key, err := base64.StdEncoding.DecodeString(os.Getenv("SECRET_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// call sends a body, and returns the answer: meta, and data or errors. idempotencyKey
// may be empty.
func call(operation, body, idempotencyKey string) (string, error) {
	path := "/" + operation
	elements := "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256"
	timestamp, nonce := fmt.Sprint(time.Now().Unix()), rand.Text()
	sum := sha256.Sum256([]byte(body))
	hash := base64.StdEncoding.EncodeToString(sum[:])
	values := []string{os.Getenv("API_KEY"), "POST", path, timestamp, nonce, hash}
	if idempotencyKey != "" {
		elements += ";Idempotency-Key"
		values = append(values, idempotencyKey)
	}
	text := strings.Join(append([]string{elements}, values...), "\n")

	request, err := http.NewRequest("POST", os.Getenv("BASE_URL")+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.GetBody = nil // the client may not repeat a request by itself: its nonce is used up
	for name, value := range map[string]string{
		"Content-Type":          "application/json",
		"Authorization":         "Sig1-HMAC-SHA256 " + signature(text),
		"X-API-Key":             os.Getenv("API_KEY"),
		"X-API-Auth-Token":      os.Getenv("AUTH_TOKEN"),
		"X-API-Signed-Elements": elements,
		"X-API-Timestamp":       timestamp,
		"X-API-Nonce":           nonce,
		"X-API-Content-SHA256":  hash,
	} {
		request.Header.Set(name, value)
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return string(read), err
}

func main() {
	if os.Args[1] == "--signature" {
		fmt.Println(signature(os.Args[2]))
		return
	}
	answer, err := call(os.Args[1], os.Args[2], strings.Join(os.Args[3:], " "))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}
